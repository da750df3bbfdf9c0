"""Whole logs, read by several processes at once."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from errdex.bulk.block import Reader, Tallies, add
from errdex.bulk.blocks import SIZE, blocks
from errdex.bulk.exact import Asked
from errdex.bulk.filed import Filed
from errdex.database.connection import open_for_reading
from errdex.report.sighting import Sighting
from errdex.sources.line import Readable

if TYPE_CHECKING:
    from errdex.bulk.narrow import Narrower

_AHEAD = 3
"""Blocks that wait for each process."""


class Scanner:
    """Finds the errors of logs; holds what all logs are searched with.

    `processes`: how many read at once; None for one a processor. A log of a single block is
    read by this process alone.
    """

    def __init__(
        self, database: Path, asked: Asked, *, processes: int | None = None, size: int = SIZE
    ) -> None:
        self._database = database
        self._asked = asked
        self._size = size
        self._processes = processes or _processors()
        connection = open_for_reading(database)
        self._filed = Filed(connection)
        self._reader = Reader(connection, self._filed, asked)
        self._narrower: Narrower | None = None

    def scan(self, stream: Readable, source: str | None = None) -> list[Sighting]:
        """Each distinct error of a log once, by the line where it is first."""
        tallies: Tallies = {}
        before = 0
        for part, lines in self._read(blocks(stream, self._size)):
            for tally in part.values():
                tally.first += before + 1
                tally.last += before + 1
                add(tallies, tally)
            before += lines
        ordered = sorted(tallies.values(), key=lambda tally: tally.first)
        return [
            Sighting(tally.text, tally.answer, source, tally.first, tally.last, tally.count)
            for tally in ordered
        ]

    def _read(self, parts: Iterator[bytes]) -> Iterator[tuple[Tallies, int]]:
        """What was found in each block, in their order."""
        first, second = next(parts, b""), next(parts, b"")
        if not second:
            yield self._reader.read(first)
            return
        if self._narrower is None:
            self._narrower = narrower(self._filed)
        with self._pool() as pool:
            waiting: deque[Future[tuple[Tallies, int]]] = deque()
            waiting.append(pool.submit(_read_block, first))
            waiting.append(pool.submit(_read_block, second))
            for part in parts:
                if len(waiting) >= _AHEAD * self._processes:
                    yield waiting.popleft().result()
                waiting.append(pool.submit(_read_block, part))
            while waiting:
                yield waiting.popleft().result()

    def _pool(self) -> ProcessPoolExecutor:
        fork = "fork" in multiprocessing.get_all_start_methods()
        return ProcessPoolExecutor(
            self._processes,
            mp_context=multiprocessing.get_context("fork" if fork else "spawn"),
            initializer=_start,
            initargs=(self._database, self._filed, self._asked, self._narrower),
        )


def narrower(filed: Filed) -> Narrower | None:
    """What reads with numpy, where that is installed."""
    try:
        from errdex.bulk.narrow import Narrower
    except ImportError:
        return None
    return Narrower(filed)


_reader: Reader | None = None
"""Of a worker process."""


def _start(database: Path, filed: Filed, asked: Asked, narrow: Narrower | None) -> None:
    global _reader
    _reader = Reader(open_for_reading(database), filed, asked, narrow)


def _read_block(block: bytes) -> tuple[Tallies, int]:
    assert _reader is not None  # noqa: S101  # a worker begins with _start
    return _reader.read(block)


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
