"""The first import of many records into a new database, on two processors."""

from __future__ import annotations

import pickle
import sqlite3
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from errdex.database.bulk import Bulk
from errdex.database.writing import Store, as_json
from errdex.load.batches import Batch
from errdex.load.beside import SecondProcess
from errdex.load.read import Read, Reader, marked, row_of
from errdex.load.spelling import Spellings
from errdex.load.summary import Summary
from errdex.load.taken import Taken

_AHEAD = 4
"""Batches that wait for the numbers of their patterns."""

_IN_MEMORY = 4 << 20
"""Bytes of records kept for later in memory; more of them go to a file."""


@contextmanager
def bulk_loader(
    connection: sqlite3.Connection, aside: Path, store: Store, reader: Reader, summary: Summary
) -> Iterator[BulkLoader]:
    """A loader for the new database behind `connection`; `aside` is a file for the time
    being."""
    loader = BulkLoader(Bulk(connection), store, reader, summary, aside)
    try:
        yield loader
    finally:
        loader.close()


class BulkLoader:
    """Takes batches of lines. Records whose id or slug is taken are put off, for the
    importer that knows the rules."""

    def __init__(
        self, bulk: Bulk, store: Store, reader: Reader, summary: Summary, aside: Path
    ) -> None:
        self._bulk = bulk
        self._store = store
        self._reader = reader
        self._summary = summary
        self._aside = aside
        self._second = SecondProcess(aside, store.import_number)
        self._waiting: deque[tuple[list[Read], str | None]] = deque()
        self._put_off: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
        self._taken = Taken()
        self._spellings = Spellings(store, summary)

    def take(self, batch: Batch) -> None:
        """Import a batch. Raises StoppedAtReject or ImportBroken."""
        self._summary.read += len(batch.lines)
        reads = self._reader.read(marked(batch.lines), batch.dataset_version)
        if not reads:
            return
        self._second.ask(
            [read.record.message_pattern for read in reads],
            [read.record.error_message for read in reads],
        )
        self._waiting.append((reads, batch.dataset_version))
        if len(self._waiting) > _AHEAD:
            self._write(*self._waiting.popleft())

    def finish(self) -> None:
        """Write all that waits, and make the database whole."""
        while self._waiting:
            self._write(*self._waiting.popleft())
        self._second.finish()
        self._bulk.merge(self._aside)
        self._bulk.finish()

    def put_off(self) -> Iterator[list[Read]]:
        """The records that were put off, in batches of one source and in order."""
        self._put_off.seek(0)
        while True:
            try:
                lines, version = pickle.load(self._put_off)  # noqa: S301  # written just now
            except EOFError:
                return
            yield self._reader.read(lines, version)

    def close(self) -> None:
        """Stop the second process, and drop what it has written."""
        self._second.stop()
        self._put_off.close()
        self._aside.unlink(missing_ok=True)

    def _write(self, reads: list[Read], version: str | None) -> None:
        source = self._store.source_number(reads[0].line.source)
        patterns = self._second.numbers()
        rows, beside, put_off = [], [], []
        number = self._store.last_number
        for read, pattern in zip(reads, patterns, strict=True):
            line, mark, (record, in_version, _) = read
            repo = self._spellings.of(read)
            if self._taken.seen(record.id, repo, record.slug):
                put_off.append((line, mark))
                continue
            number += 1
            rows.append(row_of(read.decoded, number, pattern, repo))
            tags = as_json(record.tags)
            beside.append((number, tags, mark.digest, in_version, source, line.number))
        self._store.last_number = number
        self._bulk.insert(rows)
        self._second.add(beside)
        self._summary.added += len(rows)
        if put_off:
            pickle.dump((put_off, version), self._put_off)
