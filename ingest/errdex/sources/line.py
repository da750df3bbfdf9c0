"""One line or array item of a source: the bytes, and where they stood."""

from __future__ import annotations

from typing import NamedTuple, Protocol

LONGEST = 16 << 20
"""Bytes; a longer line is refused, so that no input can fill the memory."""

KEPT_OF_LONGER = 64 << 10
"""Bytes kept of a line that is too long to be read."""


class Line(NamedTuple):
    """What may be one record, without the space around it."""

    source: str
    number: int
    """From 1: the line of the file, or the item where `item` is set."""
    data: bytes
    item: bool = False
    """True for an item of a JSON array or of a row of JSON texts."""
    fault: str | None = None
    """Why it could not be read whole; `data` is then its beginning."""

    @property
    def place(self) -> str:
        """`data/x.jsonl:12` for the twelfth line, `data/x.json#12` for the twelfth item."""
        return f"{self.source}{'#' if self.item else ':'}{self.number}"


class Readable(Protocol):
    """A stream of plain bytes."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        ...


def too_long(size: int, offset: int) -> str:
    """Why a line of `size` bytes, `offset` bytes into its unpacked source, is refused."""
    return (
        f"expected at most {LONGEST} bytes, got {size} from byte {offset} of the unpacked source on"
    )
