"""The static site: every page rendered once, over all cores, into a folder.

The main process tells what may have changed and hands it out in small batches; the workers
read the database for themselves, render, and write. All of them see one state of it.
"""

from __future__ import annotations

import multiprocessing
import os
from array import array
from bisect import bisect_left
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
from errdex_site import ledger, worker
from errdex_site.hosts import Summary, sum_up
from errdex_site.ledger import Head, Known, Ledger, Line, name_hash
from errdex_site.pages import Site
from errdex_site.publish import Target, one_build
from errdex_site.units import Unit, units
from errdex_site.worker import Job, Options, Outcome, Overtaken, Worker, files_of

__all__ = ["Options", "Summary", "build"]

_BATCH = 40
_WAITING = 6
"""Batches that wait for a worker; more would only take memory."""
_ATTEMPTS = 5
_CHANGED = ".errdex-changed"

_Pair = tuple[Unit, Known | None]


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
            with one_build(folder):
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
            before = target.head
            if before == head:
                target.discard()
                return _sum_up(target, options, 0, 0)
            same_key = before is not None and before.key == head.key
            known = Ledger(target.folder / ledger.NAME) if same_key else None
            job = Job(database, options, state, target.staging)
            with closing(units(connection, site)) as wanted:
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
    staged, listed = target.staging / ledger.NAME, target.staging / _CHANGED
    with staged.open("w", encoding="utf-8") as file, listed.open("w", encoding="utf-8") as changed:
        ledger.write_head(file, head)
        written = _write_all(job, wanted, known, file, changed, tell)
    removed = 0
    if known is None:
        listed.unlink()
        target.swap()
    else:
        gone = list(_removed(known, staged, job.options.gzip))
        removed = len(gone)
        with listed.open(encoding="utf-8") as changed:
            target.apply((line.rstrip("\n") for line in changed), gone)
    return _sum_up(target, job.options, written, removed)


def _write_all(
    job: Job,
    wanted: Iterable[Unit],
    known: Ledger | None,
    file: IO[str],
    changed: IO[str],
    tell: Callable[[int], None],
) -> int:
    """Note every unit in the ledger, and the files that changed; how many they are."""
    done = written = 0
    for outcome in _outcomes(job, wanted, known):
        ledger.write_line(file, outcome.line)
        if outcome.changed:
            names = [
                name for path in outcome.line.paths for name in files_of(path, job.options.gzip)
            ]
            written += len(names)
            changed.writelines(f"{name}\n" for name in names)
        done += 1
        if done % 200 == 0:
            tell(done)
    tell(done)
    return written


def _outcomes(job: Job, wanted: Iterable[Unit], known: Ledger | None) -> Iterator[Outcome]:
    """What becomes of each unit; those that cannot have changed are passed through."""
    jobs = job.options.jobs or os.cpu_count() or 1
    pairs = ((unit, known.find(unit.paths[0]) if known else None) for unit in wanted)
    if jobs == 1:
        alone = Worker(job)
        try:
            for unit, before in pairs:
                yield _unchanged(unit, before) or alone.write(unit, before)
        finally:
            alone.close()
        return
    # a fresh interpreter each: a fork would share the open database
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(jobs, context, worker.start, (job,)) as pool:
            yield from _in_batches(pool, pairs, jobs * _WAITING)
    except BrokenProcessPool:
        raise BuildStopped(path=job.staging) from None


def _in_batches(
    pool: ProcessPoolExecutor, pairs: Iterable[_Pair], waiting_at_most: int
) -> Iterator[Outcome]:
    waiting: deque[Future[list[Outcome]]] = deque()
    batch: list[_Pair] = []
    try:
        for unit, before in pairs:
            same = _unchanged(unit, before)
            if same is not None:
                yield same
                continue
            batch.append((unit, before))
            if len(batch) == _BATCH or len(unit.paths) > 2:
                waiting.append(pool.submit(worker.write, batch))
                batch = []
            while len(waiting) > waiting_at_most:
                yield from waiting.popleft().result()
        if batch:
            waiting.append(pool.submit(worker.write, batch))
        while waiting:
            yield from waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _unchanged(unit: Unit, before: Known | None) -> Outcome | None:
    if before is None or not unit.signature or before.signature != unit.signature:
        return None
    return Outcome(Line(*before, unit.paths), changed=False)


def _removed(known: Ledger, staged: Path, packed: bool) -> Iterator[str]:
    """The files of paths that are no more."""
    lines = ledger.read_lines(staged)
    names = array("Q", sorted(name_hash(path) for line in lines for path in line.paths))
    for line in known.lines():
        for path in line.paths:
            wanted = name_hash(path)
            at = bisect_left(names, wanted)
            if at == len(names) or names[at] != wanted:
                yield from files_of(path, packed)


def _sum_up(target: Target, options: Options, written: int, removed: int) -> Summary:
    lines = ledger.read_lines(target.folder / ledger.NAME)
    return sum_up(lines, options.gzip, written, removed)


def _place(database: Path, state: str) -> str:
    file = database.stat()
    return f"{database.resolve()} {file.st_dev} {file.st_ino} {state}"


def _key(options: Options, folders: Iterable[Path]) -> str:
    """Hash of everything but the records that a page depends on."""
    digest = blake2b(digest_size=16)
    digest.update(repr((__version__, options.base_url, options.gzip)).encode())
    for folder in [Path(__file__).parent, *folders]:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                digest.update(file.relative_to(folder).as_posix().encode() + b"\0")
                digest.update(file.read_bytes())
    return digest.hexdigest()
