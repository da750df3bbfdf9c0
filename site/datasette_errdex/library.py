"""The database behind the service: opened once a thread, always as new as the file.

Every answer is read in one read transaction, so that it shows one state of the database,
before an import or after it. An import that changes the file is seen by SQLite's
`data_version`, a file put in its place by its inode; no restart, no watching process.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from errdex.database.connection import open_for_reading
from errdex.database.snapshot import snapshot
from errdex.errors import ErrdexError
from errdex.match.engine import Matcher
from errdex_site.pages import Page, Site

T = TypeVar("T")

_THREADS = 4
_KEPT_PAGES = 256
_LARGEST_KEPT = 64 * 1024
"""Bytes; a larger page is made anew each time."""

log = logging.getLogger("errdex")


class Reader:
    """One thread's open database. What it remembers is true for one state of it only."""

    def __init__(self, path: Path, base_url: str) -> None:
        self._base_url = base_url
        self.file = _identity(path)
        self.connection = open_for_reading(path)
        self._state: int | None = None
        self.site: Site
        self.matcher: Matcher
        self._pages: dict[str, Page]

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """One state of the database for everything that is read inside."""
        with snapshot(self.connection) as state:
            if state != self._state:
                self.site = Site(self.connection, base_url=self._base_url, live=True)
                self.matcher = Matcher(self.connection)
                self._pages = {}
                self._state = state
            yield

    def page(self, path: str) -> Page:
        """The page at `path`, made once for each state of the database."""
        kept = self._pages.get(path)
        if kept is not None:
            return kept
        made = self.site.page(path)
        if made.status == 200 and len(made.body) <= _LARGEST_KEPT:
            if len(self._pages) >= _KEPT_PAGES:
                del self._pages[next(iter(self._pages))]
            self._pages[path] = made
        return made


class Library:
    """Answers questions about one database file in worker threads."""

    def __init__(self, path: Path, base_url: str = "") -> None:
        self.path = path
        self._base_url = base_url
        self._local = threading.local()
        self._workers = ThreadPoolExecutor(_THREADS, thread_name_prefix="errdex")

    async def ask(self, question: Callable[[Reader], T]) -> T:
        """What `question` returns about one state of the database, asked in a thread."""
        return await asyncio.get_running_loop().run_in_executor(
            self._workers, self.ask_here, question
        )

    def ask_here(self, question: Callable[[Reader], T]) -> T:
        """The same, in this thread. Raises what opening the database raises."""
        reader = self._reader()
        with reader.snapshot():
            return question(reader)

    def close(self) -> None:
        """Let the threads end; connections go with them."""
        self._workers.shutdown(wait=False, cancel_futures=True)

    def _reader(self) -> Reader:
        """This thread's reader, opened anew when another file stands at the path."""
        reader: Reader | None = getattr(self._local, "reader", None)
        if reader is not None and _identity(self.path) in (reader.file, None):
            return reader
        try:
            fresh = Reader(self.path, self._base_url)
        except (ErrdexError, sqlite3.Error) as problem:
            if reader is None:
                raise
            log.warning("%s; the last good state is still served", problem)
            return reader
        if reader is not None:
            reader.connection.close()
        self._local.reader = fresh
        return fresh


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file stands at the path; None while there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
