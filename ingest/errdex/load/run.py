"""Runs one import as a whole: the lock, the transaction, the files beside the database."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from msgspec.structs import astuple

from errdex.clock import now
from errdex.database.lock import import_lock
from errdex.database.target import Target, open_target
from errdex.database.writing import Store
from errdex.errors import DatabaseUnwritable, NothingLoaded, SourceEmpty, StoppedAtReject
from errdex.load.batches import Batch, FixedLines, Intake
from errdex.load.bulk import bulk_loader
from errdex.load.importing import Importer
from errdex.load.intent import at_hand
from errdex.load.options import Options
from errdex.load.read import Reader
from errdex.load.rejects import Rejects, refuse_overwriting
from errdex.load.retire import Absence
from errdex.load.summary import Summary
from errdex.match.filing import IndexWriter
from errdex.sources import Feed, Line, Progress
from errdex.sources.manifest import RepoFacts
from errdex.sources.places import as_text

_AS_USUAL = Options()


def ingest(
    sources: Sequence[str],
    database: Path,
    options: Options = _AS_USUAL,
    progress: Progress | None = None,
) -> Summary:
    """Import files, folders, globs or standard input (`-`) into one database.

    Makes the database where it is missing. All of it is loaded, but for faulty records,
    or, when an error is raised, nothing.
    """
    path = Path(database).resolve()
    with at_hand(sources, path, progress, force=options.force) as intent:
        refuse_overwriting(options.rejects, path, intent.feeds)
        called = as_text(", ".join(sources))
        return _run(intent.feeds, path, options, called, intent.repos)


def load(lines: Iterable[Line], path: Path, options: Options = _AS_USUAL) -> Summary:
    """Import lines into the database at `path`, as `ingest` does."""
    return _run([FixedLines(lines)], Path(path).resolve(), options, "lines")


def _run(
    feeds: Sequence[Feed | FixedLines],
    path: Path,
    options: Options,
    called: str,
    repos: Sequence[RepoFacts] = (),
) -> Summary:
    started_at = now()
    try:
        with import_lock(path), open_target(path) as target, _no_collections():
            summary = _import(feeds, target, options, called, started_at, repos)
            if not options.dry_run:
                target.commit()
    except sqlite3.Error as problem:
        raise DatabaseUnwritable(path=path, reason=problem) from None
    return summary


def _import(
    feeds: Sequence[Feed | FixedLines],
    target: Target,
    options: Options,
    called: str,
    started_at: str,
    repos: Sequence[RepoFacts],
) -> Summary:
    summary = Summary()
    store = Store(target.connection)
    rejects = Rejects(options.rejects_path(target.path), store)
    reader = Reader(rejects, summary, strict=options.strict)
    with _published(rejects, wanted=not options.dry_run):
        may_skip = not (target.fresh or options.force or options.complete)
        intake = Intake(feeds, store, summary, skip=may_skip)
        batches = intake.batches()
        first = _first(batches, options.bulk) if target.fresh else []
        if sum(len(batch.lines) for batch in first) >= options.bulk:
            with bulk_loader(target.connection, target.aside, store, reader, summary) as loader:
                for batch in chain(first, batches):
                    loader.take(batch)
                loader.finish()
                importer = _importer(target, store, reader, summary, options)
                for reads in loader.put_off():
                    importer.write(reads)
        else:
            importer = _importer(target, store, reader, summary, options)
            if options.complete:
                importer.absence = Absence(store, summary)
                importer.absence.begin()
            for batch in chain(first, batches):
                importer.take(batch)
            if options.complete and importer.absence is not None:
                importer.absence.end(None, all_repos=True)
        importer.finish()
        if target.fresh:
            _refuse_nothing(summary, called, rejects.path)
        store.finish()
        store.describe_repos([(*astuple(facts)[1:], facts.repo) for facts in repos])
        store.note_import(called, started_at, now(), summary)
        intake.note_sources()
    return summary


def _importer(
    target: Target, store: Store, reader: Reader, summary: Summary, options: Options
) -> Importer:
    patterns = IndexWriter(target.connection)
    return Importer(store, patterns, reader, summary, force=options.force)


def _first(batches: Iterator[Batch], lines: int) -> list[Batch]:
    """The first batches, until they hold so many lines or there are no more."""
    first: list[Batch] = []
    found = 0
    while found < lines and (batch := next(batches, None)) is not None:
        first.append(batch)
        found += len(batch.lines)
    return first


def _refuse_nothing(summary: Summary, called: str, rejects: Path) -> None:
    """Make no database without records."""
    if summary.read == 0:
        raise SourceEmpty(source=called)
    if summary.loaded == 0:
        first = summary.first_rejects[0]
        raise NothingLoaded(count=summary.read, source=called, first=first, rejects=rejects)


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


@contextmanager
def _no_collections() -> Iterator[None]:
    """Millions of rows pass, and none of them is part of a cycle."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
