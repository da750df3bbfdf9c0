"""One import: lines → records → rows, a batch at a time, by rules that `docs/ingest.md` states."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from errdex.database.schema import RECORD_COLUMNS
from errdex.database.writing import Origin, Row, Store, Stored, as_json
from errdex.decode import Faulty, Outside, decode_record, unwrap
from errdex.errors import StoppedAtReject
from errdex.load.rejects import Rejects
from errdex.load.summary import Summary, sentence
from errdex.load.versions import is_newer, is_older_state
from errdex.match.index import IndexWriter
from errdex.records import Record
from errdex.sources import Line

_FIELDS = [field.name for field in msgspec.structs.fields(Record)]
_TAGS = _FIELDS.index("tags")
_LISTS = [RECORD_COLUMNS.index(name) for name in ("solutions", "prevention_tips")]
_REPO, _SLUG, _ID, _SEEN_AT, _PATTERN, _MESSAGE = (
    RECORD_COLUMNS.index(name)
    for name in ("repo", "slug", "id", "analyzed_at", "message_pattern", "error_message")
)
_FIRST = 4  # columns of a Row before the record's
_SPELLINGS_KEPT = 10_000
_LONGEST_SLUG = 200


class Read(NamedTuple):
    """A well-formed record on its way into the database."""

    line: Line
    outside: Outside
    digest: bytes
    record: Record
    extra: dict[str, object]
    number: int
    """The number it gets if it is new."""


class Importer:
    """Takes batches of lines; everything it writes is within the caller's transaction."""

    def __init__(
        self,
        store: Store,
        patterns: IndexWriter,
        rejects: Rejects,
        *,
        fresh: bool,
        strict: bool = False,
        force: bool = False,
    ) -> None:
        self.summary = Summary()
        self._store = store
        self._patterns = patterns
        self._rejects = rejects
        self._fresh = fresh
        self._strict = strict
        self._force = force
        self._spellings: dict[str, str] = {}
        self._source_name: str | None = None
        self._source = 0

    def take(self, lines: list[Line], dataset_version: str | None = None) -> None:
        """Import some lines of one source.

        `dataset_version` is that of records without an envelope. Raises StoppedAtReject.
        """
        self._enter(lines[0].source)
        self.summary.read += len(lines)
        unwrapped = self._unwrap(lines, dataset_version)
        if not self._fresh:
            unwrapped = self._without_unchanged(unwrapped)
        reads = self._decode(unwrapped)
        if reads:
            self._write(reads)

    def _enter(self, source: str) -> None:
        if source != self._source_name:
            self._source_name = source
            self._source = self._store.source_number(source)

    # -- bytes → records ------------------------------------------------------------------

    def _unwrap(self, lines: list[Line], version: str | None) -> list[tuple[Line, Outside, bytes]]:
        found = []
        for line in lines:
            try:
                if line.fault is not None:
                    raise Faulty([line.fault])
                outside = unwrap(line.data)
            except Faulty as faulty:
                self._reject(line, faulty.faults)
                continue
            if version is not None and outside.dataset_version is None:
                outside = outside._replace(dataset_version=version)
            found.append((line, outside, outside.digest))
        return found

    def _without_unchanged(
        self, unwrapped: list[tuple[Line, Outside, bytes]]
    ) -> list[tuple[Line, Outside, bytes]]:
        """What is not in the database byte by byte; notes newer versions of what is."""
        seen = self._store.seen([digest for _, _, digest in unwrapped])
        if not seen:
            return unwrapped
        others, confirmed, revived = [], [], []
        for line, outside, digest in unwrapped:
            if digest not in seen:
                others.append((line, outside, digest))
                continue
            number, version, retired = seen[digest]
            newer = outside.dataset_version
            if newer is not None and (version is None or is_newer(newer, version)):
                confirmed.append((newer, number))
            older = is_newer(version, newer)
            if retired and not older:
                revived.append(number)
                self.summary.changed += 1
            else:
                self.summary.unchanged += 1
        self._store.confirm(confirmed)
        self._store.revive(revived)
        return others

    def _decode(self, unwrapped: list[tuple[Line, Outside, bytes]]) -> list[Read]:
        reads = []
        number = self._store.last_number
        for line, outside, digest in unwrapped:
            try:
                record, extra = decode_record(outside)
            except Faulty as faulty:
                self._reject(line, faulty.faults)
                continue
            if extra:
                self.summary.know(extra)
            number += 1
            reads.append(Read(line, outside, digest, record, extra, number))
        self._store.last_number = number
        return reads

    def _reject(self, line: Line, faults: list[str]) -> None:
        self.summary.reject(line, faults)
        self._rejects.add(line, faults)
        if self._strict:
            raise StoppedAtReject(first=sentence(line, faults))

    # -- records → rows -------------------------------------------------------------------

    def _write(self, reads: list[Read]) -> None:
        patterns = self._patterns.add(
            [read.record.message_pattern for read in reads],
            [read.record.error_message for read in reads],
        )
        rows = [self._row(read, patterns[read.record.message_pattern]) for read in reads]
        refused = self._store.insert(rows)
        fresh = [read for read in reads if read.number not in refused] if refused else reads
        self.summary.added += len(fresh)
        self._write_beside(fresh)
        for read, row in zip(reads, rows, strict=True):
            if read.number in refused:
                self._resolve(read, row)

    def _row(self, read: Read, pattern: int) -> Row:
        values = list(msgspec.structs.astuple(read.record))
        del values[_TAGS]
        for at in _LISTS:
            values[at] = as_json(values[at])
        values[_REPO] = self._spelling(read)
        extra = as_json(read.extra) if read.extra else None
        return (read.number, pattern, read.outside.dataset_version, extra, *values)

    def _spelling(self, read: Read) -> str:
        repo = read.record.repo
        spelling = self._spellings.get(repo)
        if spelling is None:
            spelling = self._store.spelling(repo)
            if len(self._spellings) >= _SPELLINGS_KEPT:
                self._spellings.clear()
            self._spellings[repo] = spelling
            if spelling != repo:
                self.summary.note(read.line, f"repo {repo} is spelled {spelling} already; kept so")
        return spelling

    def _write_beside(self, reads: Iterable[Read]) -> None:
        """Tags and origins of errors that were written."""
        tags: list[tuple[int, int, str]] = []
        origins = []
        for read in reads:
            number = read.number
            for position, tag in enumerate(read.record.tags):
                tags.append((number, position, tag))
            origins.append(self._origin(read))
        self._store.tag(tags)
        self._store.note_origins(origins)

    def _origin(self, read: Read) -> Origin:
        version = read.outside.dataset_version
        return Origin(read.number, read.digest, version, self._source, read.line.number)

    # -- what is there already ------------------------------------------------------------

    def _resolve(self, read: Read, row: Row) -> None:
        """Import a record whose id or slug is taken."""
        stored = self._store.by_id(read.record.id)
        version = read.outside.dataset_version
        if stored is None:
            self._insert_beside_rival(read, row)
            return
        stored_at = str(stored.content[_SEEN_AT])
        older = is_older_state(version, read.record.analyzed_at, stored.seen_version, stored_at)
        if older and not self._force:
            self.summary.older += 1
            self.summary.unchanged += 1
            self.summary.note(read.line, f"{read.record.id} is older than what is there")
            return
        row = (stored.number, *row[1:])
        row = self._with_free_slug(read, row)
        read = read._replace(number=stored.number)
        if self._same(read, row, stored):
            self.summary.unchanged += 1
            version = version if is_newer(version, stored.seen_version) else stored.seen_version
            self._store.note_origins([self._origin(read)._replace(seen_version=version)])
            return
        if stored.imported == self._store.import_number:
            self.summary.note(read.line, f"{read.record.id} came twice; this one was kept")
        self._store.update(row, stored)
        self._write_beside([read])
        old = str(stored.content[_REPO]), str(stored.content[_SLUG])
        if old != (row[_FIRST + _REPO], row[_FIRST + _SLUG]):
            self._store.alias(*old, stored.number)
        self.summary.changed += 1

    def _same(self, read: Read, row: Row, stored: Stored) -> bool:
        return (
            row[_FIRST:] == stored.content
            and row[_FIRST - 1] == stored.extra
            and read.record.tags == stored.tags
            and not stored.retired
        )

    def _insert_beside_rival(self, read: Read, row: Row) -> None:
        """Insert a new record whose slug another record of its repo has."""
        row = self._with_free_slug(read, row)
        self._store.insert([row])
        self._write_beside([read])
        self.summary.added += 1

    def _with_free_slug(self, read: Read, row: Row) -> Row:
        """The row with the slug it may have: the newer of two records keeps it."""
        repo, slug = str(row[_FIRST + _REPO]), read.record.slug
        rival = self._store.by_slug(repo, slug)
        if rival is None or rival.number == row[0]:
            return row
        version, seen_at = read.outside.dataset_version, read.record.analyzed_at
        if is_older_state(rival.seen_version, rival.analyzed_at, version, seen_at):
            moved = self._free_slug(repo, slug, rival.id, rival.number)
            self._store.rename(rival.number, moved)
            self.summary.note(
                read.line,
                f"slug {slug} of {rival.id} went to {read.record.id}, which is newer;"
                f" the other is now {moved}",
            )
            return row
        moved = self._free_slug(repo, slug, read.record.id, int(str(row[0])))
        self.summary.note(
            read.line, f"slug {slug} is that of {rival.id}; {read.record.id} is filed as {moved}"
        )
        at = _FIRST + _SLUG
        return (*row[:at], moved, *row[at + 1 :])

    def _free_slug(self, repo: str, slug: str, record_id: str, number: int) -> str:
        """`slug-` and the beginning of the id, or more of it where that is taken too."""
        for end in (record_id[:8], record_id, *(f"{record_id}-{n}" for n in range(2, 1000))):
            free = f"{slug[: _LONGEST_SLUG - len(end) - 1].rstrip('-')}-{end}"
            rival = self._store.by_slug(repo, free)
            if rival is None or rival.number == number:
                return free
        raise AssertionError("a thousand records share one slug and one id")
