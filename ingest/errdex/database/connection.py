"""Opening the file: read-only for everyone but the importer, and only if it is ours."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from errdex.database.schema import APPLICATION_ID, SCHEMA_VERSION
from errdex.errors import (
    DatabaseForeign,
    DatabaseMissing,
    DatabaseNewer,
    DatabaseOlder,
    DatabaseUnreadable,
)

_MAPPED_BYTES = 1 << 30
"""Memory-mapped reads: pages come from the system's cache without a copy."""


def open_for_reading(path: Path, *, mapped: int = _MAPPED_BYTES) -> sqlite3.Connection:
    """A read-only connection, which threads may share if they take turns.

    At most `mapped` bytes of the file are mapped into memory, for each connection anew; a
    process that opens many and lives long maps none and lets SQLite's cache do.
    Raises DatabaseMissing, DatabaseForeign, DatabaseNewer, DatabaseOlder or
    DatabaseUnreadable.
    """
    if not path.exists():
        raise DatabaseMissing(path=path)
    if path.is_dir():
        raise DatabaseForeign(path=path, reason="it is a folder")
    try:
        connection = sqlite3.connect(
            f"file:{quote(str(path))}?mode=ro", uri=True, check_same_thread=False
        )
        check_ours(connection, path)
        connection.execute(f"PRAGMA mmap_size = {mapped}")
    except sqlite3.OperationalError as problem:
        raise DatabaseUnreadable(path=path, reason=problem) from None
    except sqlite3.DatabaseError as problem:
        raise DatabaseForeign(path=path, reason=problem) from None
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
