"""The database behind the service: a few readers, always as new as the file.

Every answer is read in one read transaction, so that it shows one state of the database,
before an import or after it. An import that changes the file is seen by SQLite's
`data_version`, a file put in its place by its inode; no restart, no watching process.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

from datasette_errdex.giving_back import give_back
from datasette_errdex.kept import KeptPages
from errdex.database.connection import open_for_reading
from errdex.database.queries import entries
from errdex.database.snapshot import snapshot
from errdex.errors import ErrdexError, ServiceBusy
from errdex.match.engine import Matcher
from errdex.match.rows import PatternRow
from errdex_site import addresses
from errdex_site.pages import Page, Site
from errdex_site.templating import Templates

T = TypeVar("T")
FileIdentity = tuple[int, int]
"""Device and inode."""

_QUICK_THREADS = 2
_LONG_THREADS = 1
_MOST_WAITING = 50
"""Long questions at once; each may hold a text of 1 MB."""
_BUSY_SECONDS = 30

Duration = Literal["a moment", "some", "long", "long and large"]
"""How long an answer takes: some two milliseconds, less than a second, or more; and whether
it needs many times the memory that the others do."""

log = logging.getLogger("errdex")


@dataclass
class Shared:
    """What all readers have in common."""

    path: Path
    base_url: str
    pages: KeptPages = field(default_factory=KeptPages)
    patterns: dict[int, PatternRow] = field(default_factory=dict)
    """Those of the file that was opened last which its readers keep in memory."""
    file: FileIdentity | None = None
    templates: Templates | None = None
    """Compiled by the first reader; that takes as long as making fifty pages."""

    def patterns_of(self, file: FileIdentity | None) -> dict[int, PatternRow]:
        """Where readers of this file keep patterns: in another one they have other numbers."""
        if file != self.file:
            self.file, self.patterns = file, {}
        return self.patterns


class Reader:
    """One open database, for one question at a time.

    What it remembers is true for one state of the database only.
    """

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.file = _identity(shared.path)
        self.connection = open_for_reading(shared.path, mapped=0)
        self._patterns = shared.patterns_of(self.file)
        self._state: int | None = None
        self._age = 0
        self.site: Site
        self.matcher: Matcher

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """One state of the database for everything that is read inside."""
        with snapshot(self.connection) as state:
            if state != self._state:
                self._begin(state)
            self._age = self._shared.pages.age
            yield

    def page(self, path: str) -> Page:
        """The page at `path`, made once for each state of the database."""
        return self.once(path, lambda: self.site.page(path))

    def once(self, path: str, make: Callable[[], Page]) -> Page:
        """What `make` makes for the path, once for each state of the database."""
        kept = self._shared.pages.get(path)
        if kept is not None:
            return kept
        made = make()
        if made.status == 200:
            self._shared.pages.put(made, self._age)
        return made

    def _begin(self, state: int) -> None:
        self._shared.pages.forget()
        self.site = Site(self.connection, base_url=self._shared.base_url, live=True)
        if self._shared.templates is None:
            self._shared.templates = self.site.templates
        self.site.templates = self._shared.templates
        self.matcher = Matcher(self.connection, self._patterns)
        self._state = state


class Readers:
    """Answers questions about one database file in worker threads."""

    def __init__(self, path: Path, base_url: str = "") -> None:
        self._shared = Shared(path, base_url)
        self._idle: deque[Reader] = deque()
        self._quick = ThreadPoolExecutor(_QUICK_THREADS, thread_name_prefix="errdex")
        self._long = ThreadPoolExecutor(_LONG_THREADS, thread_name_prefix="errdex-long")
        self._waiting = 0

    async def ask(self, question: Callable[[Reader], T], takes: Duration = "some") -> T:
        """What `question` returns about one state of the database.

        One that takes a moment is answered at once: handing it to a thread and back takes
        as long. One that takes long has threads of its own, so that others never wait for
        it. Raises ServiceBusy when too many such wait already.
        """
        if takes == "a moment":
            return self.ask_here(question)
        loop = asyncio.get_running_loop()
        if takes == "some":
            return await loop.run_in_executor(self._quick, self.ask_here, question)
        if self._waiting >= _MOST_WAITING:
            raise ServiceBusy(limit=_MOST_WAITING, seconds=_BUSY_SECONDS)
        self._waiting += 1
        try:
            ask = self.ask_here if takes == "long" else self._ask_apart
            return await loop.run_in_executor(self._long, ask, question)
        finally:
            self._waiting -= 1

    def _ask_apart(self, question: Callable[[Reader], T]) -> T:
        """The same, of a reader that nothing is kept of: the little that was put down between
        what a large text needs would hold most of that memory for good."""
        shared = self._shared
        try:
            reader = Reader(Shared(shared.path, shared.base_url, templates=shared.templates))
        except (ErrdexError, sqlite3.Error):  # what is opened already may still be good
            return self.ask_here(question)
        try:
            with reader.snapshot():
                return question(reader)
        finally:
            reader.connection.close()
            del reader
            give_back()

    def ask_here(self, question: Callable[[Reader], T]) -> T:
        """The same, in this thread. Raises what opening the database raises."""
        reader = self._take()
        try:
            with reader.snapshot():
                return question(reader)
        finally:
            self._idle.append(reader)

    def warm(self) -> None:
        """Do once what every process does at its first answers: compile templates, for one.

        Nothing stays open, so that the process may be forked. Raises what opening the
        database raises.
        """
        self.ask_here(_one_of_each)
        self._close_idle()

    def close(self) -> None:
        """Close what is idle and let the threads end."""
        self._quick.shutdown(cancel_futures=True)
        self._long.shutdown(cancel_futures=True)
        self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().connection.close()

    def _take(self) -> Reader:
        """The reader that was used last, or a new one; nobody else has it until it is back.

        It is opened anew when another file stands at the path.
        """
        try:
            reader = self._idle.pop()
        except IndexError:
            return Reader(self._shared)
        if _identity(self._shared.path) in (reader.file, None):
            return reader
        try:
            fresh = Reader(self._shared)
        except (ErrdexError, sqlite3.Error) as problem:
            log.warning("%s; the last good state is still served", problem)
            return reader
        reader.connection.close()
        return fresh


def _one_of_each(reader: Reader) -> None:
    """Have all templates compiled, one error's page made and its message matched."""
    reader.site.templates.check()
    entry = next(entries(reader.connection), None)
    if entry is not None:
        reader.site.page(addresses.error_path(entry.record.repo, entry.record.slug))
        reader.matcher.match(entry.record.error_message)


def _identity(path: Path) -> FileIdentity | None:
    """Which file stands at the path; None while there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
