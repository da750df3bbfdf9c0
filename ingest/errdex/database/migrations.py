"""Versions of the schema, in order; each brings a database one version further.

Imported only by whoever writes: `sqlite_utils` takes half a second to load.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlite_utils import Database, Migrations

from errdex.database.connection import check_ours
from errdex.database.schema import APPLICATION_ID, FULL_TEXT, INDEXES, SCHEMA_VERSION, TABLES

MIGRATIONS = Migrations("errdex")
"""The number of migrations is SCHEMA_VERSION; a test says so."""


@MIGRATIONS(name="1")
def _tables(db: Database) -> None:
    """Version 1: every table, index and the full-text table that there is."""
    for statement in (*TABLES.split(";"), *INDEXES.split(";"), FULL_TEXT):
        db.conn.execute(statement)


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Bring an empty file or an older errdex database to this version's schema.

    Raises DatabaseForeign or DatabaseNewer, and then has changed nothing.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    if pages > 0:
        check_ours(connection, path, older=True)
    if pages == 0 or version < SCHEMA_VERSION:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        MIGRATIONS.apply(Database(connection))
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
