"""Lines into a database that may hold them already, by the rules in `docs/ingest.md`."""

from __future__ import annotations

from collections.abc import Sequence

from errdex.database.schema import RECORD_COLUMNS
from errdex.database.writing import Store
from errdex.database.written import FIRST_COLUMNS, Origin, Row, Stored
from errdex.decode import Fingerprint
from errdex.load.batches import Batch
from errdex.load.read import Read, Reader, marked, row_of
from errdex.load.retire import Absence
from errdex.load.slugs import REPO, SLUG, with_free_slug
from errdex.load.spelling import Spellings
from errdex.load.summary import Summary
from errdex.load.versions import is_newer, is_older_state
from errdex.match.filing import IndexWriter
from errdex.sources import Line

_EXTRA = FIRST_COLUMNS.index("extra")
_STORED_REPO, _STORED_SLUG, _ANALYZED_AT = (
    RECORD_COLUMNS.index(name) for name in ("repo", "slug", "analyzed_at")
)

Marked = tuple[Line, Fingerprint]


class Importer:
    """Takes batches of lines; everything it writes is within the caller's transaction."""

    def __init__(
        self,
        store: Store,
        patterns: IndexWriter,
        reader: Reader,
        summary: Summary,
        *,
        force: bool,
    ) -> None:
        self._store = store
        self._patterns = patterns
        self._reader = reader
        self._summary = summary
        self._force = force
        self._spellings = Spellings(store, summary)
        self.absence: Absence | None = None
        """Watches what is read, while all of a repo is."""

    def take(self, batch: Batch) -> None:
        """Import a batch. Raises StoppedAtReject."""
        if batch.begins is not None:
            self.absence = Absence(self._store, self._summary)
            self.absence.begin(batch.begins.repo)
        if batch.ends is not None and self.absence is not None:
            feed = batch.ends
            self.absence.end(feed.retired_at, feed.dataset_version, all_repos=False)
            self.absence = None
        if not batch.lines:
            return
        self._summary.read += len(batch.lines)
        unknown = self._without_unchanged(marked(batch.lines), batch.dataset_version)
        self.write(self._reader.read(unknown, batch.dataset_version))

    def finish(self) -> None:
        """Write what is still held back."""
        self._patterns.finish()

    def write(self, reads: list[Read]) -> None:
        """Import records of one source that are not there byte by byte."""
        if not reads:
            return
        source = self._store.source_number(reads[0].line.source)
        numbers = self._patterns.add(
            [read.record.message_pattern for read in reads],
            [read.record.error_message for read in reads],
        )
        rows = [
            row_of(
                read.decoded,
                self._store.last_number + place,
                numbers[read.record.message_pattern],
                self._spellings.of(read),
            )
            for place, read in enumerate(reads, 1)
        ]
        self._store.last_number += len(rows)
        refused = self._store.insert(rows)
        written = [
            (read, row) for read, row in zip(reads, rows, strict=True) if row[0] not in refused
        ]
        self._summary.added += len(written)
        self._write_beside(written, source)
        if refused:
            for read, row in zip(reads, rows, strict=True):
                if row[0] in refused:
                    self._resolve(read, row, source)

    def _without_unchanged(self, lines: list[Marked], default: str | None) -> list[Marked]:
        """What is not in the database byte by byte; notes newer versions of what is."""
        seen = self._store.seen({mark.digest for _, mark in lines})
        if not seen:
            return lines
        unknown, confirmed, revived = [], [], []
        newest = None
        for line, mark in lines:
            if mark.digest not in seen:
                unknown.append((line, mark))
                continue
            number, seen_version, retired = seen[mark.digest]
            version = mark.dataset_version or default
            if newest is None or is_newer(version, newest):
                newest = version
            if version is not None and (seen_version is None or is_newer(version, seen_version)):
                confirmed.append((version, number))
            if retired and not is_newer(seen_version, version):
                revived.append(number)
        self._store.confirm(confirmed)
        if self.absence is not None:
            read = [seen[mark.digest][0] for _, mark in lines if mark.digest in seen]
            self.absence.read(read, newest)
        self._store.revive(revived)
        self._summary.changed += len(revived)
        self._summary.unchanged += len(lines) - len(unknown) - len(revived)
        return unknown

    def _note_read(self, numbers: list[int], version: str | None) -> None:
        if self.absence is not None:
            self.absence.read(numbers, version)

    def _write_beside(self, written: Sequence[tuple[Read, Row]], source: int) -> None:
        """Tags and origins of rows that are new."""
        self._store.tag([(row[0], read.record.tags) for read, row in written])
        self._note_origins(written, source)

    def _note_origins(self, written: Sequence[tuple[Read, Row]], source: int) -> None:
        self._store.note_origins([_origin(read, row[0], source) for read, row in written])
        for read, row in written:
            self._note_read([int(str(row[0]))], read.version)

    # -- an id or a slug that is taken ----------------------------------------------------

    def _resolve(self, read: Read, row: Row, source: int) -> None:
        """Import a record whose id or slug is taken."""
        stored = self._store.by_id(read.record.id)
        if stored is None:
            row = with_free_slug(self._store, self._summary, read, row)
            self._store.insert([row])
            self._write_beside([(read, row)], source)
            self._summary.added += 1
        elif self._is_older(read, stored):
            self._note_read([stored.number], None)
            self._summary.older += 1
            self._summary.unchanged += 1
            self._summary.note(read.line, f"{read.record.id} is older than what is there")
        else:
            self._overwrite(read, (stored.number, *row[1:]), stored, source)

    def _is_older(self, read: Read, stored: Stored) -> bool:
        analyzed_at = str(stored.content[_ANALYZED_AT])
        return not self._force and is_older_state(
            read.version, read.record.analyzed_at, stored.seen_version, analyzed_at
        )

    def _overwrite(self, read: Read, row: Row, stored: Stored, source: int) -> None:
        """Write a record over an earlier state of it, unless nothing differs."""
        row = with_free_slug(self._store, self._summary, read, row)
        if _same(read, row, stored):
            self._note_read([stored.number], read.version)
            newest = stored.seen_version
            if newest is None or is_newer(read.version, newest):
                newest = read.version
            origin = _origin(read, stored.number, source)._replace(seen_version=newest)
            self._store.note_origins([origin])
            self._summary.unchanged += 1
            return
        if stored.imported == self._store.import_number:
            self._summary.note(read.line, f"{read.record.id} came twice; the later one is kept")
        self._store.update(row, stored)
        if read.record.tags != stored.tags:
            self._store.untag(stored.number)
            self._store.tag([(stored.number, read.record.tags)])
        self._note_origins([(read, row)], source)
        old = str(stored.content[_STORED_REPO]), str(stored.content[_STORED_SLUG])
        if old != (row[REPO], row[SLUG]):
            self._store.alias(*old, stored.number)
        self._summary.changed += 1


def _same(read: Read, row: Row, stored: Stored) -> bool:
    """True if the database would not change."""
    return (
        row[len(FIRST_COLUMNS) :] == stored.content
        and row[_EXTRA] == stored.extra
        and read.record.tags == stored.tags
        and not stored.retired
    )


def _origin(read: Read, number: object, source: int) -> Origin:
    digest = read.fingerprint.digest
    return Origin(int(str(number)), digest, read.version, source, read.line.number)
