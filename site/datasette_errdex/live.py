"""Datasette's view of the database, as new as the file.

Datasette opens a database that never changes with `immutable=1`: it may then read half
an import, and it holds on to a file that was replaced. This one is immutable to
Datasette (no writes, counts are kept), but is opened read-only with locks, and opened
anew when another file stands at its path.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from datasette.app import Datasette
from datasette.database import Database, QueryInterrupted

from errdex.database.connection import open_for_reading

T = TypeVar("T")
Identity = tuple[int, int, int, int]

_COUNT_MS = 100
"""Time for counting one table; the page says `many` where that is too short."""
_STARTUP_MS = 60_000


class LiveDatabase(Database):  # type: ignore[misc]  # Datasette has no types
    """One errdex database among Datasette's."""

    def __init__(self, datasette: Datasette, path: Path) -> None:
        super().__init__(datasette, str(path), is_mutable=False)
        self._file = path
        self._local = threading.local()
        self._counting = asyncio.Lock()
        self._counted: Identity | None = None
        self._counts: dict[str, int | None] = {}

    def connect(self, write: bool = False) -> sqlite3.Connection:
        """A read-only connection. Datasette makes one a thread; `_fresh` keeps a newer one."""
        if write:
            raise PermissionError("an errdex database is changed by `errdex ingest` alone")
        return open_for_reading(self._file, mapped=0)

    async def execute_fn(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        """Run `fn` on a connection to the newest file (called so by Datasette 0.65)."""
        result: T = await super().execute_fn(lambda _kept: fn(self._fresh()))
        return result

    async def _execute_fn(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        """The same (called so by Datasette 1.0)."""
        result: T = await super()._execute_fn(lambda _kept: fn(self._fresh()))
        return result

    def _fresh(self) -> sqlite3.Connection:
        """This thread's connection to the file that stands at the path now."""
        identity = self._identity()
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is not None and self._local.identity[:2] == identity[:2]:
            return connection
        if connection is not None:
            connection.close()
        connection = self.connect()
        self.ds._prepare_connection(connection, self.name)
        self._local.connection, self._local.identity = connection, identity
        return connection

    def _identity(self) -> Identity:
        """Which file it is, and how new."""
        found = self._file.stat()
        return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size

    @property
    def hash(self) -> str:
        """Tells states of the file apart. Datasette's own would read the whole file."""
        return "".join(f"{part:08x}" for part in self._identity())

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._file.stat().st_size

    async def table_counts(self, limit: int = 10) -> dict[str, int | None]:
        """Rows by table, counted once for each state of the file; None took too long.

        Datasette asks with an hour's limit before its first answer. That can wait for the
        first page that shows counts.
        """
        if limit > _STARTUP_MS:
            return {}
        async with self._counting:
            identity = self._identity()
            if identity != self._counted:
                self._counts = {name: await self._count(name) for name in await self.table_names()}
                self._counted = identity
                known = {name: {"count": n} for name, n in self._counts.items() if n is not None}
                self.ds.inspect_data = {self.name: {"tables": known}}
        return self._counts

    async def _count(self, table: str) -> int | None:
        quoted = table.replace('"', '""')
        try:
            rows = await self.execute(
                f'SELECT count(*) FROM "{quoted}"',
                custom_time_limit=_COUNT_MS,
                log_sql_errors=False,
            )
        except (QueryInterrupted, sqlite3.Error):
            return None
        count: int = rows.first()[0]
        return count
