"""One process of a build: renders units and writes their files."""

from __future__ import annotations

import gc
import gzip
import os
import shutil
from collections.abc import Iterable
from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from errdex.database import fingerprints
from errdex.database.connection import open_to_read_all
from errdex.database.snapshot import snapshot
from errdex.errors import FolderUnwritable
from errdex_site import addresses
from errdex_site.ledger import Known, Line
from errdex_site.pages import Site
from errdex_site.units import Unit

_PACKED_TYPES = (".html", ".json", ".xml", ".txt", ".css", ".js", ".svg")


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
    staging: Path


class Outcome(NamedTuple):
    """What became of a unit."""

    line: Line
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
        digest = blake2b(digest_size=8)
        sizes = []
        try:
            for path in unit.paths:
                chunks = self._chunks(path)
                name = addresses.file_of(path)
                self._make_folder(name.rpartition("/")[0])
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
            content = int.from_bytes(digest.digest())
            changed = before is None or before.content != content
            self._finish(unit, changed)
        except OSError as problem:
            reason = problem.strerror or problem
            raise FolderUnwritable(path=self._job.staging, reason=reason) from None
        page = max((s for p, s in zip(unit.paths, sizes, strict=True) if is_page(p)), default=0)
        line = Line(unit.signature, content, sum(sizes), page, max(sizes), unit.paths)
        return Outcome(line, changed)

    def _make_folder(self, folder: str) -> None:
        if folder == self._folder:
            return
        whole = f"{self._staging}/{folder}"
        try:
            os.mkdir(whole)  # noqa: PTH102 # often called
        except FileExistsError:
            pass
        except FileNotFoundError:
            os.makedirs(whole, exist_ok=True)  # noqa: PTH103 # as above
        self._folder = folder

    def _chunks(self, path: str) -> Iterable[bytes]:
        chunks = self._site.chunks(path)
        if chunks is not None:
            return chunks
        body = self._site.page(path).body
        return (body.encode() if isinstance(body, str) else body,)

    def _finish(self, unit: Unit, changed: bool) -> None:
        """Pack the files, or take them away again when they are as before."""
        if changed and not self._job.options.gzip:
            return
        for path in unit.paths:
            name, *packed = files_of(path, self._job.options.gzip)
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


def files_of(path: str, packed: bool) -> list[str]:
    """The files that are written for a path: its own, and perhaps that in gzip."""
    file = addresses.file_of(path)
    return [file, f"{file}.gz"] if packed and file.endswith(_PACKED_TYPES) else [file]


def _write_whole(file: int, chunk: bytes) -> int:
    rest = memoryview(chunk)
    while rest:
        rest = rest[os.write(file, rest) :]
    return len(chunk)


def is_page(path: str) -> bool:
    """Whether people look at it."""
    return path.endswith(("/", ".html"))


# -- the process --------------------------------------------------------------------------

_worker: Worker


def start(job: Job) -> None:
    """Called once in each process."""
    global _worker
    _worker = Worker(job)
    # what lives now lives to the end, and rendering makes few cycles
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def write(batch: list[tuple[Unit, Known | None]]) -> list[Outcome]:
    """Called for each batch."""
    return [_worker.write(unit, before) for unit, before in batch]
