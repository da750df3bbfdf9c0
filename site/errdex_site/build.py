"""The static site: every page rendered once, over all cores, into a folder.

The main process tells what may have changed and hands it out in small batches; the workers
read the database for themselves, render, and write. All of them see one state of it.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import IO

from errdex import __version__
from errdex.database import fingerprints
from errdex.database.connection import open_to_read_all
from errdex.database.snapshot import snapshot
from errdex.errors import BuildOvertaken, BuildStopped, FolderUnwritable
from errdex_site import addresses, ledger, worker
from errdex_site.files import files_of
from errdex_site.hosts import Summary, sum_up
from errdex_site.ledger import Head, Known, Ledger
from errdex_site.pages import Site
from errdex_site.publish import Target, one_build
from errdex_site.units import Unit, units
from errdex_site.worker import Job, Options, Outcome, Overtaken, Worker, few_collections

__all__ = ["Options", "Summary", "build"]

_BATCH = 40
_WAITING = 40
"""Batches that wait for a worker; more would only take memory."""
_ATTEMPTS = 5
_CHANGED = ".errdex-changed"

_Done = tuple[Unit, Outcome | None]
"""A unit and what became of it; None where it is as it was."""


def build(
    database: Path,
    folder: Path,
    options: Options = Options(),  # noqa: B008 # a named tuple never changes
    tell: Callable[[int], None] = lambda done: None,
) -> Summary:
    """Bring the folder up to date with the database. `tell` hears how many units are done.

    Raises an ErrdexError and leaves the folder as it was.
    """
    for _ in range(_ATTEMPTS):
        try:
            with few_collections(), one_build(folder):
                return _build(database, folder, options, tell)
        except Overtaken:
            continue
    raise BuildOvertaken(path=database)


def _build(database: Path, folder: Path, options: Options, tell: Callable[[int], None]) -> Summary:
    connection = open_to_read_all(database)
    target = None
    try:
        with snapshot(connection):
            site = Site(connection, base_url=options.base_url, templates=options.templates)
            site.templates.check()
            target = Target(folder)
            state = fingerprints.state(connection)
            head = Head(_key(options, site.templates.folders), _place(database, state))
            known = _known(target, head)
            if known is not None and target.head == head:
                target.discard()
                return sum_up(known.totals, 0, 0)
            job = Job(database, options, state, target.folder, target.staging, known is not None)
            with closing(units(connection, site, known)) as wanted:
                return _fill(target, job, head, wanted, known, tell)
    except OSError as problem:  # a disk that is full, most likely, here or in another process
        if target is not None:
            target.discard()
        raise FolderUnwritable(path=folder, reason=problem.strerror or problem) from None
    except BaseException:
        if target is not None:
            target.discard()
        raise
    finally:
        connection.close()


def _fill(
    target: Target,
    job: Job,
    head: Head,
    wanted: Iterator[Unit],
    known: Ledger | None,
    tell: Callable[[int], None],
) -> Summary:
    """Write what has changed, then put it in place."""
    listed = target.staging / _CHANGED
    writer = ledger.Writer(target.staging, job.options.gzip)
    with closing(writer), listed.open("w", encoding="utf-8") as changed:
        written = _write_all(job, wanted, known, writer, changed, tell)
    totals = writer.finish(head)
    removed = 0
    if known is None:
        listed.unlink()
        target.swap()
    else:
        gone = [name for path in known.removed() for name in files_of(path, job.options.gzip)]
        removed = len(gone)
        with listed.open(encoding="utf-8") as changed:
            target.apply((line.rstrip("\n") for line in changed), gone)
    return sum_up(totals, written, removed)


def _write_all(
    job: Job,
    wanted: Iterable[Unit],
    known: Ledger | None,
    writer: ledger.Writer,
    changed: IO[str],
    tell: Callable[[int], None],
) -> int:
    """Note every unit in the ledger, and the files that changed; how many they are."""
    done = written = 0
    for unit, outcome in _outcomes(job, wanted, known):
        if outcome is None:
            assert known is not None  # noqa: S101 # else nothing is as it was
            writer.keep(unit.paths, known, unit.place)
        else:
            writer.add(unit.paths, outcome.row, unit.caught)
            if outcome.changed:
                names = [n for path in unit.paths for n in files_of(path, job.options.gzip)]
                written += len(names)
                changed.writelines(f"{name}\n" for name in names)
        done += 1
        if done % 200 == 0:
            tell(done)
    tell(done)
    return written


def _outcomes(job: Job, wanted: Iterable[Unit], known: Ledger | None) -> Iterator[_Done]:
    """What becomes of each unit; those that cannot have changed are passed through."""
    jobs = job.options.jobs or os.cpu_count() or 1
    if jobs == 1:
        alone = Worker(job)
        try:
            for unit in wanted:
                same = _is_unchanged(unit, known)
                yield unit, None if same else alone.write(unit, _before(unit, known))
        finally:
            alone.close()
        return
    # a fresh interpreter each: a fork would share the open database
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(jobs, context, worker.start, (job,)) as pool:
            yield from _in_batches(pool, wanted, known, jobs * _WAITING)
    except BrokenProcessPool:
        raise BuildStopped(path=job.staging) from None


def _in_batches(
    pool: ProcessPoolExecutor, wanted: Iterable[Unit], known: Ledger | None, waiting_at_most: int
) -> Iterator[_Done]:
    waiting: deque[tuple[list[Unit], Future[list[Outcome]]]] = deque()
    batch: list[Unit] = []

    def hand_out() -> None:
        pairs = [(unit, _before(unit, known)) for unit in batch]
        waiting.append((batch, pool.submit(worker.write, pairs)))

    def take() -> Iterator[_Done]:
        units, future = waiting.popleft()
        return zip(units, future.result(), strict=True)

    try:
        for unit in wanted:
            if _is_unchanged(unit, known):
                yield unit, None
                continue
            batch.append(unit)
            if len(batch) == _BATCH or len(unit.paths) > 1 or _is_large(unit):
                hand_out()
                batch = []
            while len(waiting) > waiting_at_most:
                yield from take()
        if batch:
            hand_out()
        while waiting:
            yield from take()
    finally:
        for _, future in waiting:
            future.cancel()


def _is_large(unit: Unit) -> bool:
    """Whether a file alone takes as long as many pages."""
    return unit.paths[0].startswith(addresses.REPO_DATA)


def _is_unchanged(unit: Unit, known: Ledger | None) -> bool:
    if known is None or unit.place < 0 or not unit.signature:
        return False
    return known.signature(unit.place) == unit.signature


def _before(unit: Unit, known: Ledger | None) -> Known | None:
    return known.at(unit.place) if known is not None and unit.place >= 0 else None


def _known(target: Target, head: Head) -> Ledger | None:
    """What the last build wrote, where that says anything of this one."""
    before = target.head
    if before is None or before.key != head.key:
        return None
    try:
        return Ledger(target.folder / ledger.NAME)
    except ValueError:
        return None


def _place(database: Path, state: str) -> str:
    file = database.stat()
    return f"{database.resolve()} {file.st_dev} {file.st_ino} {state}"


def _key(options: Options, folders: Iterable[Path]) -> str:
    """Hash of everything but the records that a page depends on."""
    digest = blake2b(digest_size=16)
    digest.update(repr((__version__, options.base_url, options.gzip, sys.byteorder)).encode())
    for folder in [Path(__file__).parent, *folders]:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                digest.update(file.relative_to(folder).as_posix().encode() + b"\0")
                digest.update(file.read_bytes())
    return digest.hexdigest()
