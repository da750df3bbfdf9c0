"""Several questions to the database, answered from one and the same state of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE = 5000
"""Milliseconds to wait for a writer that does not use a write-ahead log."""


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[int]:
    """A read transaction. Gives a number that differs when another import was committed
    since this connection last looked; numbers of different connections say nothing."""
    connection.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT 1 FROM errors LIMIT 1").fetchone()  # the state is taken here
        yield connection.execute("PRAGMA data_version").fetchone()[0]
    finally:
        connection.commit()  # keeps temporary tables, which are all that can be written


def newest_import(connection: sqlite3.Connection) -> int:
    """The number of the last import, 0 before the first: the same number, the same records."""
    (number,) = connection.execute("SELECT coalesce(max(import), 0) FROM imports").fetchone()
    return int(number)
