"""Runs one import as a whole: the lock, the transaction, the files beside the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from errdex.database.lock import import_lock
from errdex.database.target import Target, open_target
from errdex.database.writing import Store
from errdex.errors import DatabaseUnwritable, NothingLoaded, SourceEmpty, StoppedAtReject
from errdex.load.importing import Importer
from errdex.load.rejects import Rejects
from errdex.load.summary import Summary
from errdex.match.index import IndexWriter
from errdex.sources import STANDARD_INPUT, Line, Meter, expand, read_lines

_BATCH_LINES = 1000
_BATCH_BYTES = 4 << 20


@dataclass(frozen=True)
class Options:
    """How to import."""

    rejects: Path | None = None
    """Where faulty records go; None stands for `<database>.rejects.jsonl`."""
    strict: bool = False
    """Stop at the first faulty record, and load nothing."""
    force: bool = False
    """Let older records overwrite newer ones."""
    dry_run: bool = False
    """Find out what would change, and change nothing."""

    def rejects_path(self, database: Path) -> Path:
        """Where faulty records go."""
        return self.rejects or database.with_name(f"{database.name}.rejects.jsonl")


def ingest(
    sources: Sequence[str],
    database: Path,
    options: Options = Options(),
    meter: Meter | None = None,
) -> Summary:
    """Import files, folders, globs or standard input (`-`) into one database.

    Makes the database where it is missing. All of it is loaded, but for faulty records,
    or, when an error is raised, nothing.
    """
    names = list(expand(sources))

    def lines() -> Iterator[Line]:
        for name in names:
            empty = True
            for line in read_lines(name, meter):
                empty = False
                yield line
            if empty and name in sources:
                raise SourceEmpty(source=STANDARD_INPUT if name == "-" else name)

    return load(lines(), database, options, called=", ".join(sources))


def load(
    lines: Iterable[Line],
    path: Path,
    options: Options = Options(),
    *,
    called: str = "lines",
) -> Summary:
    """Import lines into the database at `path`; `called` is what they are noted as."""
    path = Path(path).resolve()
    started_at = now()
    try:
        with import_lock(path), open_target(path) as target:
            summary = _import(lines, target, options, called, started_at)
            if not options.dry_run:
                target.commit()
    except sqlite3.Error as problem:
        raise DatabaseUnwritable(path=path, reason=problem) from None
    return summary


def _import(
    lines: Iterable[Line], target: Target, options: Options, called: str, started_at: str
) -> Summary:
    store = Store(target.connection, fresh=target.fresh)
    patterns = IndexWriter(target.connection)
    place = options.rejects_path(target.path)
    rejects = Rejects(place, store)
    importer = Importer(
        store, patterns, rejects, fresh=target.fresh, strict=options.strict, force=options.force
    )
    summary = importer.summary
    with _published(rejects, wanted=not options.dry_run):
        for batch in _batches(lines):
            importer.take(batch)
        if target.fresh and summary.read == 0:
            raise SourceEmpty(source=called)
        if target.fresh and summary.loaded == 0:
            first = summary.first_rejects[0]
            raise NothingLoaded(count=summary.read, source=called, first=first, rejects=place)
        patterns.finish()
        store.finish()
        store.note_import(called, started_at, now(), summary)
    return summary


@contextmanager
def _published(rejects: Rejects, *, wanted: bool) -> Iterator[None]:
    """Put the rejects file in its place, also where they are the reason to stop."""
    try:
        yield
    except (NothingLoaded, StoppedAtReject):
        if wanted:
            rejects.publish()
        raise
    else:
        if wanted:
            rejects.publish()
    finally:
        rejects.discard()


def _batches(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines of one source at a time, some megabytes at most."""
    batch: list[Line] = []
    size = 0
    for line in lines:
        full = len(batch) >= _BATCH_LINES or size >= _BATCH_BYTES
        if batch and (full or line.source != batch[0].source):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line.data)
    if batch:
        yield batch


def now() -> str:
    """The time in UTC, to the second, as records write it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
