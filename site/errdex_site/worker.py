"""One process of a build: renders units and writes their files."""

from __future__ import annotations

import gc
import gzip
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from errdex.database import fingerprints
from errdex.database.connection import open_to_read_all
from errdex.database.snapshot import snapshot
from errdex.errors import FolderUnwritable
from errdex_site import addresses
from errdex_site.earlier import Earlier
from errdex_site.files import files_of, is_page
from errdex_site.ledger import Known
from errdex_site.pages import Site
from errdex_site.publish import staged_name
from errdex_site.units import Unit

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


class Options(NamedTuple):
    """What a user may choose."""

    base_url: str = ""
    templates: Path | None = None
    jobs: int = 0
    """Processes; 0 for one a core."""
    gzip: bool = False
    """Write a `.gz` beside every text file, for servers that send such."""


class Job(NamedTuple):
    """What one build is about."""

    database: Path
    options: Options
    state: str
    """Of the database, as the main process saw it."""
    folder: Path
    """Where the last build's files are."""
    staging: Path
    flat: bool
    """Whether files are written for `Target.apply`, under their `staged_name`."""


class Outcome(NamedTuple):
    """What became of a unit."""

    row: Known
    changed: bool


class Overtaken(Exception):
    """An import was committed between the main process's look and the worker's."""


class Worker:
    """Renders and writes units of one state of the database."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._open = ExitStack()
        connection = open_to_read_all(job.database)
        self._open.callback(connection.close)
        self._open.enter_context(snapshot(connection))
        self._overtaken = fingerprints.state(connection) != job.state
        options = job.options
        self._staging = str(job.staging)
        self._folder = ""
        """The one that was made last; files come folder by folder."""
        self._site = Site(connection, base_url=options.base_url, templates=options.templates)

    def close(self) -> None:
        """Let go of the database."""
        self._open.close()

    def write(self, unit: Unit, before: Known | None) -> Outcome:
        """Render a unit and write its files, unless they are as before.

        Raises Overtaken, FolderUnwritable, or what a template raises.
        """
        if self._overtaken:
            raise Overtaken
        digest = sha256()
        sizes = []
        earlier = None if unit.changed is None else Earlier(self._job.folder, unit.changed)
        try:
            for path in unit.paths:
                chunks = self._chunks(path, earlier)
                name = self._place(addresses.file_of(path))
                size = 0
                # no buffers: nearly every file is one chunk
                file = os.open(f"{self._staging}/{name}", _NEW_FILE, 0o666)
                try:
                    for chunk in chunks:
                        digest.update(chunk)
                        size += _write_whole(file, chunk)
                finally:
                    os.close(file)
                sizes.append(size)
            content = int.from_bytes(digest.digest()[:8])
            changed = before is None or before.content != content
            self._finish(unit, changed)
        except OSError as problem:
            reason = problem.strerror or problem
            raise FolderUnwritable(path=self._job.staging, reason=reason) from None
        page = max((s for p, s in zip(unit.paths, sizes, strict=True) if is_page(p)), default=0)
        row = Known(unit.signature, content, sum(sizes), page, max(sizes), unit.record)
        return Outcome(row, changed)

    def _place(self, file: str) -> str:
        """Where a file is written, in the folder `staging`."""
        if self._job.flat:
            return staged_name(file)
        folder = file.rpartition("/")[0]
        if folder != self._folder:
            self._make_folder(folder)
        return file

    def _make_folder(self, folder: str) -> None:
        whole = f"{self._staging}/{folder}"
        try:
            os.mkdir(whole)  # noqa: PTH102 # often called
        except FileExistsError:
            pass
        except FileNotFoundError:
            os.makedirs(whole, exist_ok=True)  # noqa: PTH103 # as above
        self._folder = folder

    def _chunks(self, path: str, earlier: Earlier | None) -> Iterable[bytes]:
        chunks = self._site.chunks(path, earlier)
        if chunks is not None:
            return chunks
        body = self._site.page(path).body
        return (body.encode() if isinstance(body, str) else body,)

    def _finish(self, unit: Unit, changed: bool) -> None:
        """Pack the files, or take them away again when they are as before."""
        if changed and not self._job.options.gzip:
            return
        for path in unit.paths:
            name, *packed = map(self._place, files_of(path, self._job.options.gzip))
            file = self._job.staging / name
            if not changed:
                file.unlink()
                continue
            for other in packed:
                with (
                    file.open("rb") as plain,
                    (self._job.staging / other).open("wb") as stream,
                    gzip.GzipFile("", "wb", 6, stream, mtime=0) as packing,
                ):
                    shutil.copyfileobj(plain, packing)


def _write_whole(file: int, chunk: bytes) -> int:
    rest = memoryview(chunk)
    while rest:
        rest = rest[os.write(file, rest) :]
    return len(chunk)


@contextmanager
def few_collections() -> Iterator[None]:
    """Look for cycles rarely: a build makes millions of objects, and few cycles."""
    before = gc.get_threshold()
    gc.freeze()  # what lives now lives to the end
    gc.set_threshold(20_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


# -- the process --------------------------------------------------------------------------

_worker: Worker
_to_the_end = ExitStack()


def start(job: Job) -> None:
    """Called once in each process."""
    global _worker
    _worker = Worker(job)
    _to_the_end.enter_context(few_collections())


def write(batch: list[tuple[Unit, Known | None]]) -> list[Outcome]:
    """Called for each batch."""
    return [_worker.write(unit, before) for unit, before in batch]
