"""What a site's folder holds, unit by unit, as its last build wrote it.

The ledger is a file in the folder: a head of JSON, a row of numbers a unit, and a line of
paths a unit, which is read only when something is to be removed. It is also what marks a
folder as ours.
"""

from __future__ import annotations

import shutil
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from errdex_site.files import files_of, is_page

NAME = ".errdex-site"

_PATHS = ".errdex-paths"
"""The paths of a ledger that is being written."""
_WIDTH = 7
"""Numbers of a row: the hash of the unit's name, then those of `Known`."""


class Totals(msgspec.Struct):
    """What all units of a site are together."""

    pages: int = 0
    """HTML pages."""
    files: int = 0
    folders: int = 0
    bytes: int = 0
    """Without the packed copies."""
    largest: int = 0
    """Bytes of the largest page."""
    largest_path: str = "/"
    largest_file: int = 0
    """Bytes of the largest file."""


class Head(msgspec.Struct, frozen=True):
    """What a whole build depends on."""

    key: str
    """Hash of our code, the templates and the options."""
    state: str
    """Of the database: its place, its file, its last import."""


class _Stored(msgspec.Struct):
    head: Head
    totals: Totals
    units: int
    caught: dict[int, tuple[str, ...]]


class Known(NamedTuple):
    """What the ledger says of one unit."""

    signature: int
    content: int
    """Hash of all its files."""
    size: int
    page: int
    """Bytes of its HTML page; 0 for a unit without one."""
    largest: int
    """Bytes of its largest file."""
    record: int
    """Hash of the record that an error's page shows; 0 for any other unit."""


class Ledger:
    """The rows of a folder's ledger, by the units' names, in 64 bytes each."""

    def __init__(self, file: Path) -> None:
        """Raises ValueError where the file is damaged."""
        self._file = file
        with file.open("rb") as stream:
            stored = msgspec.json.decode(stream.readline(), type=_Stored)
            rows = array("Q")
            rows.frombytes(stream.read(stored.units * _WIDTH * 8))
            if len(rows) != stored.units * _WIDTH:
                raise ValueError("the rows are cut off")
            self._paths_at = stream.tell()
        names = rows[::_WIDTH]
        order = sorted(range(len(names)), key=names.__getitem__)
        self._names = array("Q", map(names.__getitem__, order))
        self._order = array("L", order)
        self._rows = rows
        self._found = bytearray(len(names))
        self._caught = stored.caught
        self.totals = stored.totals

    def place(self, path: str) -> int:
        """The place of the unit of this name, which is noted as found; -1 when it was not there."""
        wanted = name_hash(path)
        at = bisect_left(self._names, wanted)
        if at == len(self._names) or self._names[at] != wanted:
            return -1
        place = self._order[at]
        self._found[place] = 1
        return place

    def at(self, place: int) -> Known:
        """What was written for the unit at this place."""
        row = place * _WIDTH
        return Known(*self._rows[row + 1 : row + _WIDTH])

    def row(self, place: int) -> array[int]:
        """The whole row of the unit at this place."""
        return self._rows[place * _WIDTH : (place + 1) * _WIDTH]

    def signature(self, place: int) -> int:
        """Of the unit at this place."""
        return self._rows[place * _WIDTH + 1]

    def page(self, place: int) -> int:
        """Bytes of the page of the unit at this place."""
        return self._rows[place * _WIDTH + 4]

    def record(self, place: int) -> int:
        """Of the unit at this place."""
        return self._rows[place * _WIDTH + 6]

    def caught(self, place: int) -> tuple[str, ...]:
        """The classes that are caught where the error is raised whose page stands there."""
        return self._caught.get(place, ())

    def removed(self) -> Iterator[str]:
        """The paths of all units that were not found."""
        if all(self._found):
            return
        for place, paths in enumerate(self.paths()):
            if not self._found[place]:
                yield from paths

    def paths(self) -> Iterator[list[str]]:
        """The paths of every unit, as they were written."""
        with self._file.open("rb") as stream:
            stream.seek(self._paths_at)
            for line in stream:
                yield line.decode().split()


class Writer:
    """A ledger that is being written to a folder, and the totals of its units."""

    def __init__(self, folder: Path, packed: bool) -> None:
        self._folder = folder
        self._packed = packed
        self._rows = array("Q")
        self._caught: dict[int, tuple[str, ...]] = {}
        self._paths = (folder / _PATHS).open("w", encoding="utf-8")
        self._totals = Totals()

    def add(self, paths: tuple[str, ...], row: Known, caught: tuple[str, ...] = ()) -> None:
        """Note a unit; `caught` is what `Ledger.caught` shall say of it."""
        self._note(paths, row.page, caught)
        self._rows.append(name_hash(paths[0]))
        self._rows.extend(row)

    def keep(self, paths: tuple[str, ...], known: Ledger, place: int) -> None:
        """Note a unit that is as it was."""
        self._note(paths, known.page(place), known.caught(place))
        self._rows.extend(known.row(place))

    def _note(self, paths: tuple[str, ...], page: int, caught: tuple[str, ...]) -> None:
        if caught:
            self._caught[len(self._rows) // _WIDTH] = caught
        self._paths.write(" ".join(paths) + "\n")
        totals = self._totals
        if page > totals.largest:
            totals.largest, totals.largest_path = page, paths[0]
        for path in paths:
            totals.pages += is_page(path)
            totals.folders += path.endswith("/")
            totals.files += len(files_of(path, True)) if self._packed else 1

    def close(self) -> None:
        """Write no more."""
        self._paths.close()

    def finish(self, head: Head) -> Totals:
        """Write the whole."""
        self.close()
        totals, rows = self._totals, self._rows
        totals.bytes = sum(rows[3::_WIDTH])
        totals.largest_file = max(rows[5::_WIDTH], default=0)
        stored = _Stored(head, totals, len(rows) // _WIDTH, self._caught)
        listed = self._folder / _PATHS
        with (self._folder / NAME).open("wb") as file, listed.open("rb") as paths:
            file.write(msgspec.json.encode(stored) + b"\n")
            file.write(rows)
            shutil.copyfileobj(paths, file)
        listed.unlink()
        return totals


def name_hash(path: str) -> int:
    """The unit's name in 8 bytes."""
    return int.from_bytes(blake2b(path.encode(), digest_size=8).digest())


def is_ours(folder: Path) -> bool:
    """Whether a build made this folder, of whatever version."""
    try:
        with (folder / NAME).open("rb") as file:
            head = msgspec.json.decode(file.readline())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return isinstance(head, dict) and not {"head", "key"}.isdisjoint(head)


def read_head(folder: Path) -> Head | None:
    """The head of a folder's ledger; None when it has none that this version can read."""
    try:
        with (folder / NAME).open("rb") as file:
            return msgspec.json.decode(file.readline(), type=_Stored).head
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
