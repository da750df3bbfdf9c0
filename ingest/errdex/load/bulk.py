"""The first import of many records into a new database, on two processors."""

from __future__ import annotations

import pickle
import sqlite3
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from errdex.database.aside import Places, Source, Text
from errdex.database.bulk import Bulk
from errdex.database.writing import Store, as_json
from errdex.load.batches import Batch
from errdex.load.beside import SecondProcess
from errdex.load.read import Read, Reader, marked, row_of
from errdex.load.spelling import Spellings
from errdex.load.summary import Summary
from errdex.load.taken import Taken

Filed = tuple[Read, str]
"""A record, and its repo as it is spelled in the database."""

_AHEAD = 4
"""Batches that wait for the numbers of their patterns."""

_IN_MEMORY = 4 << 20
"""Bytes of records kept for later in memory; more of them go to a file."""


@contextmanager
def bulk_loader(
    connection: sqlite3.Connection, aside: Places, store: Store, reader: Reader, summary: Summary
) -> Iterator[BulkLoader]:
    """A loader for the new database behind `connection`; `aside` are two files for the
    time being."""
    loader = BulkLoader(Bulk(connection), store, reader, summary, aside)
    try:
        yield loader
    finally:
        loader.close()


class BulkLoader:
    """Takes batches of lines. Records whose id or slug is taken are put off, for the
    importer that knows the rules."""

    def __init__(
        self, bulk: Bulk, store: Store, reader: Reader, summary: Summary, aside: Places
    ) -> None:
        self._bulk = bulk
        self._store = store
        self._reader = reader
        self._summary = summary
        self._aside = aside
        self._second = SecondProcess(aside, store.import_number)
        self._waiting: deque[tuple[list[Filed], int]] = deque()
        self._put_off: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
        self._taken = Taken()
        self._spellings = Spellings(store, summary)

    def take(self, batch: Batch) -> None:
        """Import a batch. Raises StoppedAtReject or ImportBroken."""
        self._summary.read += len(batch.lines)
        new = self._new(batch)
        if not new:
            return
        source = self._store.source_number(batch.lines[0].source)
        first = self._store.last_number + 1
        self._store.last_number += len(new)
        patterns = [decoded.record.message_pattern for (_, _, decoded), _ in new]
        texts = [_text(*filed) for filed in enumerate(new, first)]
        origins = [_origin(*filed, source) for filed in enumerate(new, first)]
        self._second.ask(patterns, texts, origins)
        self._waiting.append((new, first))
        if len(self._waiting) > _AHEAD:
            self._write(*self._waiting.popleft())

    def finish(self) -> None:
        """Write all that waits, and make the database whole."""
        self._second.end()
        while self._waiting:
            self._write(*self._waiting.popleft())
        self._bulk.finish()
        self._second.wait_for_texts()
        self._bulk.take_over_texts(self._aside.texts)
        self._second.wait_for_patterns()
        self._bulk.take_over_patterns(self._aside.patterns)

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
        for path in self._aside:
            path.unlink(missing_ok=True)

    def _new(self, batch: Batch) -> list[Filed]:
        """The records of a batch whose id and slug nobody has."""
        new: list[Filed] = []
        put_off = []
        for read in self._reader.read(marked(batch.lines), batch.dataset_version):
            repo = self._spellings.of(read)
            record = read.decoded.record
            if self._taken.seen(record.id, repo, record.slug):
                put_off.append((read.line, read.fingerprint))
            else:
                new.append((read, repo))
        if put_off:
            pickle.dump((put_off, batch.dataset_version), self._put_off)
        return new

    def _write(self, new: list[Filed], first: int) -> None:
        patterns = self._second.numbers()
        rows, tags = [], []
        for number, ((read, repo), pattern) in enumerate(zip(new, patterns, strict=True), first):
            rows.append(row_of(read.decoded, number, pattern, repo))
            tags.append(as_json(read.decoded.record.tags))
        self._bulk.insert(rows)
        self._bulk.tag(first, tags)
        self._summary.added += len(new)


def _text(number: int, filed: Filed) -> Text:
    record = filed[0].decoded.record
    return (
        number,
        record.error_message,
        record.error_class,
        record.error_code,
        record.documentation,
    )


def _origin(number: int, filed: Filed, source: int) -> Source:
    line, mark, decoded = filed[0]
    return number, mark.digest, decoded.dataset_version, source, line.number
