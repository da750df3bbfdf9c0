"""A file as it grows, as with `tail -F`: it may be rotated, cut short, or not there yet."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

POLL_SECONDS = 0.2
_CHUNK = 1 << 20
_LONGEST_LINE = 1 << 20
"""Bytes; a longer line is given in pieces."""


class NewLine(NamedTuple):
    """A line that was added."""

    number: int
    """From 1, in the file that has the name now; pieces of one line share it."""
    data: bytes
    """Without its line break."""


def follow(
    path: Path,
    *,
    from_start: bool = False,
    wait: Callable[[float], object] = time.sleep,
) -> Iterator[NewLine | None]:
    """The lines that are added to a file from now on; None whenever there is no more for now.

    A file that comes later, by rotation or because it was not there, is read from its start;
    so is one that was cut. Never ends by itself. `wait` is called with the seconds of a pause.
    """
    file = _File(path)
    if file.open() and not from_start:
        file.skip()
    while True:
        yield from file.lines()
        if file.replaced():
            yield from file.lines()  # what came between the two looks
            yield from file.rest()
            file.open()
            continue
        yield None
        wait(POLL_SECONDS)


class _File:
    """The file under the name, for as long as it is that one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._identity = (0, 0)
        self._number = 0
        self._rest = b""

    def open(self) -> bool:
        """Open what has the name now; False if nothing has."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        self._number, self._rest = 0, b""
        try:
            self._descriptor = os.open(self._path, os.O_RDONLY)
        except OSError:
            return False
        status = os.fstat(self._descriptor)
        self._identity = (status.st_dev, status.st_ino)
        return True

    def skip(self) -> None:
        """Pass over what is there, but for an unfinished line; its lines are counted."""
        for line in self.lines():
            self._number = line.number

    def lines(self) -> Iterator[NewLine]:
        """The finished lines up to the end that the file has now."""
        if self._descriptor is None:
            return
        self._notice_cut()
        while chunk := os.read(self._descriptor, _CHUNK):
            *whole, self._rest = (self._rest + chunk).split(b"\n")
            for data in whole:
                self._number += 1
                yield NewLine(self._number, data)
            if len(self._rest) >= _LONGEST_LINE:
                piece, self._rest = self._rest, b""
                yield NewLine(self._number + 1, piece)

    def rest(self) -> Iterator[NewLine]:
        """The last line of a file that is given up, if it has no line break."""
        if self._rest:
            yield NewLine(self._number + 1, self._rest)

    def replaced(self) -> bool:
        """True if the name stands for another file now."""
        try:
            status = os.stat(self._path)  # noqa: PTH116  # the pair below it is os.fstat
        except OSError:
            return False  # not there yet, or in the middle of a rotation
        return self._descriptor is None or self._identity != (status.st_dev, status.st_ino)

    def _notice_cut(self) -> None:
        """Begin again if the file is shorter than what was read of it."""
        assert self._descriptor is not None  # noqa: S101  # asked by lines() alone
        at = os.lseek(self._descriptor, 0, os.SEEK_CUR)
        if os.fstat(self._descriptor).st_size < at:
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            self._number, self._rest = 0, b""
