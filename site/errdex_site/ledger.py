"""What a site's folder holds, unit by unit, as its last build wrote it.

The ledger is a text file in the folder: a head of JSON, then a line a unit. It is also what
marks a folder as ours.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

NAME = ".errdex-site"
_FORMAT = 1


class Head(msgspec.Struct, frozen=True):
    """What a whole build depends on."""

    key: str
    """Hash of our code, the templates and the options."""
    state: str
    """Of the database: its place, its file, its last import."""
    format: int = _FORMAT


class Line(NamedTuple):
    """A unit as it was written."""

    signature: int
    content: int
    """Hash of all its files."""
    size: int
    page: int
    """Bytes of its HTML page; 0 for a unit without one."""
    largest: int
    """Bytes of its largest file."""
    paths: tuple[str, ...]


class Known(NamedTuple):
    """What the ledger says of one unit."""

    signature: int
    content: int
    size: int
    page: int
    largest: int


class Ledger:
    """The lines of a folder's ledger, by unit, in 56 bytes each."""

    def __init__(self, file: Path) -> None:
        self._file = file
        names, rows = array("Q"), array("Q")
        for line in self.lines():
            names.append(name_hash(line.paths[0]))
            rows.extend(line[:5])
        order = sorted(range(len(names)), key=names.__getitem__)
        self._names = array("Q", (names[at] for at in order))
        self._order = array("L", order)
        self._rows = rows

    def lines(self) -> Iterator[Line]:
        """Every line, as it was written."""
        return read_lines(self._file)

    def find(self, path: str) -> Known | None:
        """What was written for the unit of this name; None when it was not there."""
        wanted = name_hash(path)
        at = bisect_left(self._names, wanted)
        if at == len(self._names) or self._names[at] != wanted:
            return None
        row = self._order[at] * 5
        return Known(*self._rows[row : row + 5])


def name_hash(path: str) -> int:
    """The unit's name in 8 bytes."""
    return int.from_bytes(blake2b(path.encode(), digest_size=8).digest())


def read_lines(file: Path) -> Iterator[Line]:
    """Every line of a ledger, as it was written."""
    with file.open(encoding="utf-8") as stream:
        next(stream)
        for text in stream:
            fields = text.split()
            signature, content, size, page, largest = (int(n, 16) for n in fields[:5])
            yield Line(signature, content, size, page, largest, tuple(fields[5:]))


def read_head(folder: Path) -> Head | None:
    """The head of a folder's ledger; None when it has none that we can read."""
    try:
        with (folder / NAME).open("rb") as file:
            head = msgspec.json.decode(file.readline(), type=Head)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return head if head.format == _FORMAT else None


def write_head(file: IO[str], head: Head) -> None:
    """Begin a ledger."""
    file.write(msgspec.json.encode(head).decode() + "\n")


def write_line(file: IO[str], line: Line) -> None:
    """Add a unit to a ledger."""
    file.write(f"{' '.join(map('{:x}'.format, line[:5]))} {' '.join(line.paths)}\n")
