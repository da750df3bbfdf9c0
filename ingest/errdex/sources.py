"""Files and standard input → lines of bytes, each with its place."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

from errdex.errors import SourceDamaged, SourceMissing, SourceUnreadable

_GZIP_MAGIC = b"\x1f\x8b"


class Line(NamedTuple):
    """One line of a source, without its line break."""

    source: str
    number: int
    data: bytes


def read_lines(source: str) -> Iterator[Line]:
    """The lines of a file (gzip is told by its content), or of standard input for `-`.

    Blank lines are passed over; they still count in the numbers.
    """
    if source == "-":
        yield from _lines("standard input", sys.stdin.buffer)
        return
    path = Path(source)
    if not path.exists():
        raise SourceMissing(source=source)
    try:
        with path.open("rb") as raw:
            packed = raw.peek(2)[:2] == _GZIP_MAGIC
            stream = gzip.GzipFile(fileobj=raw) if packed else raw
            yield from _lines(source, cast("IO[bytes]", stream))
    except OSError as problem:
        raise SourceUnreadable(source=source, reason=problem.strerror or problem) from None


def _lines(source: str, stream: IO[bytes]) -> Iterator[Line]:
    number = 0
    try:
        for number, data in enumerate(stream, 1):
            stripped = data.strip()
            if stripped:
                yield Line(source, number, stripped)
    except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
        raise SourceDamaged(source=source, line=number, reason=problem) from None
