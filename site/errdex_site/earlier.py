"""Files of the last build, from which those that changed in few places are made.

The files that hold records have one a line, in an order that the records decide, so that
stretches that did not change are copied as they stand there, and neither read nor encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from errdex_site import addresses

_ITEMS_AT_ONCE = 250
_CHUNK = 4 << 20


class Earlier(NamedTuple):
    """The folder of the last build, and what has changed since."""

    folder: Path
    changed: frozenset[str]
    """The ids of the records that differ, or were not there."""

    def chunks(self, path: str) -> Iterator[bytes]:
        """The file as it is; none where it is not there."""
        try:
            with (self.folder / addresses.file_of(path)).open("rb", buffering=0) as file:
                while chunk := file.read(_CHUNK):
                    yield chunk
        except FileNotFoundError:
            return

    def items(
        self, path: str, ids: Iterable[str], before_id: str, make: Callable[[str], bytes]
    ) -> Iterator[bytes]:
        """The items of the ids, some hundreds together, as `listed` takes them: copied from the
        file where they did not change, else made. A line begins with `before_id` and the id."""
        file = _Lines(self.chunks(path))
        for changed, group in groupby(ids, self.changed.__contains__):
            while some := list(islice(group, _ITEMS_AT_ONCE)):
                if changed:
                    yield b",\n".join(map(make, some))
                else:
                    begins = [f"\n{before_id}{one}".encode() for one in some]
                    for begin, items in file.take(begins):
                        # what is not there, against what the ledger says, is made as if new
                        yield items or make(begin[len(before_id) + 1 :].decode())


class _Lines:
    """The lines of a file that is read forward only, a part of it held at a time."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._held = b""
        self._at = 0
        """Where the line break before the next line is."""

    def take(self, begins: list[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """The lines that begin so, each after a line break, in stretches that stand together: how
        the first one begins, and all of them, or nothing where a line is not there."""
        end = self._find(b"\n", after=self._find(begins[-1]))
        start = self._held.find(begins[0], self._at) + 1
        if end > 0 and start > 0 and self._held.count(b"\n", start, end) == len(begins) - 1:
            self._at = end
            yield begins[0], self._held[start:end].removesuffix(b",")
        elif len(begins) == 1:
            yield begins[0], b""
        else:
            middle = len(begins) // 2
            yield from self.take(begins[:middle])
            yield from self.take(begins[middle:])

    def _find(self, wanted: bytes, after: int | None = None) -> int:
        """Where something is, as far as is read for it; -1 if it is nowhere, or `after` is."""
        if after == -1:
            return -1
        start = self._at if after is None else after + 1
        while (at := self._held.find(wanted, start)) < 0:
            more = next(self._chunks, b"")
            if not more:
                return -1
            dropped = self._at
            start = max(len(self._held) - len(wanted), start) - dropped
            self._held = self._held[dropped:] + more
            self._at = 0
        return at


def listed(head: bytes, items: Iterable[bytes], tail: bytes) -> Iterator[bytes]:
    """A file of items, one a line, between its head and its tail."""
    yield head
    before = b"\n"
    for some in items:
        yield before + some
        before = b",\n"
    yield b"\n" + tail


def together(items: Iterable[bytes]) -> Iterator[bytes]:
    """Items as `listed` takes them, a few hundred together."""
    waiting = iter(items)
    while some := list(islice(waiting, _ITEMS_AT_ONCE)):
        yield b",\n".join(some)
