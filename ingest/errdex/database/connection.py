"""Opening the file: read-only for everyone but the importer, and only if it is ours."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from errdex.database.schema import APPLICATION_ID, SCHEMA_VERSION
from errdex.errors import (
    DatabaseForeign,
    DatabaseMissing,
    DatabaseNewer,
    DatabaseOlder,
    DatabaseUnreadable,
)

_PLAIN_BYTES = frozenset(b"/-._~").union(b for b in range(128) if chr(b).isalnum())
"""Bytes that stand for themselves in the address of a file; `urllib` takes longer to import
than a match takes."""
_MAPPED_BYTES = 1 << 30
"""Memory-mapped reads: pages come from the system's cache without a copy."""

_CACHED_KIBIBYTES = 32 * 1024


def open_for_reading(path: Path, *, mapped: int = _MAPPED_BYTES) -> sqlite3.Connection:
    """A read-only connection, which threads may share if they take turns.

    At most `mapped` bytes of the file are mapped into memory, for each connection anew; a
    process that opens many and lives long maps none and lets SQLite's cache do.
    Raises DatabaseMissing, DatabaseForeign, DatabaseNewer, DatabaseOlder or
    DatabaseUnreadable.
    """
    try:
        if not path.exists():
            raise DatabaseMissing(path=path)
        if path.is_dir():
            raise DatabaseForeign(path=path, reason="it is a folder")
        connection = _connect(path)
        connection.execute(f"PRAGMA mmap_size = {mapped}")
    except OSError as problem:
        raise DatabaseUnreadable(path=path, reason=problem.strerror) from None
    except sqlite3.OperationalError as problem:
        raise DatabaseUnreadable(path=path, reason=problem) from None
    except sqlite3.DatabaseError as problem:
        raise DatabaseForeign(path=path, reason=problem) from None
    return connection


def open_to_read_all(path: Path) -> sqlite3.Connection:
    """As `open_for_reading`, for a process that reads the whole file and must not grow with it."""
    connection = open_for_reading(path, mapped=0)
    connection.execute(f"PRAGMA cache_size = -{_CACHED_KIBIBYTES}")
    return connection


def _connect(path: Path) -> sqlite3.Connection:
    """Readers of a write-ahead log leave marks beside the file. Where they may not, and no
    import has left a log, the file is read as one that nobody changes."""
    plain = "".join(chr(b) if b in _PLAIN_BYTES else f"%{b:02x}" for b in os.fsencode(path))
    address = f"file:{plain}?mode=ro"
    connection = sqlite3.connect(address, uri=True, check_same_thread=False)
    try:
        check_ours(connection, path)
    except sqlite3.OperationalError:
        connection.close()
        effective = os.access in os.supports_effective_ids
        writable = os.access(path.parent, os.W_OK, effective_ids=effective)
        if writable or path.with_name(path.name + "-wal").exists():
            raise
        connection = sqlite3.connect(f"{address}&immutable=1", uri=True, check_same_thread=False)
        check_ours(connection, path)
    return connection


def check_ours(connection: sqlite3.Connection, path: Path, *, older: bool = False) -> None:
    """Refuse a file that another program made, or another version of this one.

    With `older`, older versions pass.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise DatabaseForeign(path=path, reason="another program made it")
    if version > SCHEMA_VERSION:
        raise DatabaseNewer(path=path, found=version, known=SCHEMA_VERSION)
    if version < SCHEMA_VERSION and not older:
        raise DatabaseOlder(path=path, found=version, known=SCHEMA_VERSION)
