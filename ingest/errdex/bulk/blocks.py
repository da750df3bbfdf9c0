"""A stream of bytes → blocks that begin with an event each, to be read by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from errdex.bulk.lines import decoded
from errdex.events import MOST_FOLLOWERS, is_plain
from errdex.sources.line import Readable

SIZE = 2 << 20
"""Bytes of a block, about."""
_LARGEST = 4 * SIZE
"""A block without an end that is certain is cut at a line's end."""
_SEARCHED = 1 << 16
_SURE = MOST_FOLLOWERS + 2
"""Of so many plain lines in a row, the last begins an event, whatever was before them."""


def blocks(stream: Readable, size: int = SIZE) -> Iterator[bytes]:
    """The stream in blocks of about `size` bytes."""
    rest = b""
    while chunk := stream.read(size):
        rest += chunk
        if len(rest) < size:
            continue
        cut = _cut(rest)
        if not cut and len(rest) >= _LARGEST:
            cut = rest.rfind(b"\n") + 1 or len(rest)
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest


def _cut(data: bytes) -> int:
    """Where the last line begins that certainly begins an event; 0 if none is near the end."""
    end = data.rfind(b"\n")
    least = max(0, end - _SEARCHED)
    found, plain = 0, 0
    while end > least:
        begin = data.rfind(b"\n", least, end) + 1
        if begin <= least:
            return 0
        if is_plain(decoded(data[begin:end])):
            found = found if plain else begin
            plain += 1
            if plain == _SURE:
                return found
        else:
            plain = 0
        end = begin - 1
    return 0
