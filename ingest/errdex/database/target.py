"""Where an import writes: a new file that replaces nothing until it is whole, or one
transaction on a database that others may be reading."""

from __future__ import annotations

import glob
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from errdex.database.aside import Places
from errdex.database.migrations import prepare
from errdex.errors import DatabaseForeign, DatabaseUnwritable

_PAGE_BYTES = 32768
"""Records have some 5 KB: pages of this size hold them without chains of overflow pages."""

_CACHE_KIB = 65536
_WAIT_SECONDS = 30.0
_CHECKPOINT_MS = 100
"""How long the log is tried to be emptied: while somebody reads, it stays, to no harm."""


class Target:
    """The database of one import. Nothing of it is seen by readers before `commit`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, fresh: bool) -> None:
        self.path = path
        self.connection = connection
        self.fresh = fresh
        self.committed = False
        mark = secrets.token_hex(4)
        self.aside = Places(_partial(path, f"-texts-{mark}"), _partial(path, f"-patterns-{mark}"))
        """Files for the time of the import, with names that are new: the second process of one
        that was killed may outlive it a little. Whatever is left of them is removed."""

    def commit(self) -> None:
        """Make the import the state that readers see."""
        self.connection.execute("COMMIT")
        self.committed = True


@contextmanager
def open_target(path: Path) -> Iterator[Target]:
    """A target with an open transaction; without `commit` it leaves all as it was.

    Call it under the import lock. Raises DatabaseForeign, DatabaseNewer or
    DatabaseUnwritable.
    """
    _clean_up(path)
    if path.is_dir():
        raise DatabaseForeign(path=path, reason="it is a folder")
    fresh = not path.exists() or path.stat().st_size == 0
    with _fresh(path) if fresh else _existing(path) as target:
        yield target


@contextmanager
def _fresh(path: Path) -> Iterator[Target]:
    """A file beside the final one, without a journal: if it is not finished, it is removed."""
    partial = _partial(path)
    connection = sqlite3.connect(partial, isolation_level=None)
    try:
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        prepare(connection, partial)
        connection.execute("BEGIN IMMEDIATE")
        target = Target(path, connection, fresh=True)
        yield target
        if target.committed:
            connection.execute("PRAGMA locking_mode = NORMAL")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.close()
            _put_in_place(partial, path)
    finally:
        connection.close()
        _clean_up(path)


@contextmanager
def _existing(path: Path) -> Iterator[Target]:
    """One transaction in write-ahead mode: readers go on seeing the state before it."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=_WAIT_SECONDS)
    try:
        prepare(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        connection.execute("BEGIN IMMEDIATE")
        target = Target(path, connection, fresh=False)
        yield target
        if target.committed:
            connection.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_MS}")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError as problem:
        if problem.sqlite_errorcode in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise DatabaseForeign(path=path, reason=problem) from None
        raise
    finally:
        connection.close()


def _put_in_place(partial: Path, path: Path) -> None:
    """Replace the final file in one step, once every byte is on the disk."""
    try:
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        partial.replace(path)
        with suppress(OSError):  # some systems do not let a folder be opened
            folder = os.open(path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
    except OSError as problem:
        raise DatabaseUnwritable(path=path, reason=problem.strerror) from None


def _clean_up(path: Path) -> None:
    """Remove what an import that was killed has left."""
    for left in path.parent.glob(glob.escape(_partial(path).name) + "*"):
        left.unlink(missing_ok=True)


def _partial(path: Path, ending: str = "") -> Path:
    """What is beside the database at `path` until the import is whole."""
    return path.with_name(f".{path.name}.partial{ending}")
