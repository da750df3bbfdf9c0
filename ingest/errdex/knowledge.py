"""What Python programs use: an open database that texts are matched against.

Threads may share it: each gets a connection and a matcher of its own, and what one
does never waits for another.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection
from os import PathLike
from pathlib import Path
from types import TracebackType

from errdex.database.connection import open_for_reading
from errdex.database.queries import entry_by_name
from errdex.errors import KnowledgeBaseClosed
from errdex.match.answers import Answer
from errdex.match.engine import Matcher
from errdex.records import Entry


class KnowledgeBase:
    """An errdex database, open for reading; made by `errdex.open`."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        self._closed = False
        self._readers: list[_Reader] = []
        self._mine = threading.local()
        self._reader()  # so that a wrong file is refused now

    def match(
        self,
        text: str,
        *,
        limit: int = 10,
        repo: str | None = None,
        tags: Collection[str] = (),
    ) -> Answer:
        """The records that the text (a log line, a traceback, any paste) holds the message of.

        At most `limit`, best first; only those of `repo` and with all `tags`, if given.
        Matches that are not `claimed` are hints, not answers. At most a million characters
        are read, and nothing of the text is kept.
        """
        return self._reader().matcher.match(text, limit=limit, repo=repo, tags=tags)

    def entry(self, name: str) -> Entry | None:
        """The record called `name` (an id or `owner/repo/slug`) as an entry, or None."""
        return entry_by_name(self._reader().connection, name)

    def close(self) -> None:
        """Close it for all threads; using it again raises KnowledgeBaseClosed.

        No thread may be using it meanwhile. Closing twice is allowed.
        """
        with self._lock:
            self._closed = True
            readers, self._readers = self._readers, []
        for reader in readers:
            reader.connection.close()

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()

    def _reader(self) -> _Reader:
        if self._closed:
            raise KnowledgeBaseClosed(path=self.path)
        reader: _Reader | None = getattr(self._mine, "reader", None)
        if reader is None:
            reader = self._mine.reader = _Reader(self.path)
            with self._lock:
                self._readers.append(reader)
        return reader


class _Reader:
    """What one thread reads with."""

    def __init__(self, path: Path) -> None:
        self.connection: sqlite3.Connection = open_for_reading(path)
        self.matcher = Matcher(self.connection)
