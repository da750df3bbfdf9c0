"""A stream of bytes → its lines, whatever their length."""

from __future__ import annotations

from collections.abc import Iterator

from errdex.sources.line import KEPT_OF_LONGER, LONGEST, Line, Readable, too_long

CHUNK = 1 << 18
"""Bytes that are read at a time."""

_SPACE = b" \t\r\v\f"


def split_lines(stream: Readable, source: str) -> Iterator[Line]:
    """The lines that are not blank; blank ones still count in the numbers.

    A line of more than LONGEST bytes is never in memory as a whole: it comes as a
    Line with a fault and its beginning.
    """
    number = 0
    begin = 0  # where in the source the unfinished line begins
    rest = b""  # what was read of it
    while chunk := stream.read(CHUNK):
        pieces = (rest + chunk).split(b"\n")
        rest = pieces.pop()
        for piece in pieces:
            number += 1
            begin += len(piece) + 1
            if data := piece.strip(_SPACE):
                yield Line(source, number, data)
        if len(rest) > LONGEST:
            number += 1
            kept = rest[:KEPT_OF_LONGER]
            size, rest = _skip_line(stream, len(rest))
            yield Line(source, number, kept, fault=too_long(size, begin))
            begin += size + 1
    for last, piece in enumerate(rest.split(b"\n"), number + 1):  # several after a long line
        if data := piece.strip(_SPACE):
            yield Line(source, last, data)


def _skip_line(stream: Readable, size: int) -> tuple[int, bytes]:
    """Read to the end of a line of which `size` bytes are read: its size, what follows it."""
    while chunk := stream.read(CHUNK):
        end = chunk.find(b"\n")
        if end >= 0:
            return size + end, chunk[end + 1 :]
        size += len(chunk)
    return size, b""
