"""The schema of a database that is written: made if it is empty, brought up to date if old.

Each migration brings a database one version further. A new database gets the newest schema
at once, without them, since `sqlite_utils` takes half a second to load.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from errdex.database.connection import check_ours
from errdex.database.schema import APPLICATION_ID, FULL_TEXT, INDEXES, SCHEMA_VERSION, TABLES

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Bring an empty file or an older errdex database to this version's schema.

    Raises DatabaseForeign or DatabaseNewer, and then has changed nothing.
    """
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    if pages == 0:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        _make_all(connection)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        return
    check_ours(connection, path, older=True)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < SCHEMA_VERSION:
        migrate(connection, version)


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Apply the migrations that come after `version`, each in a transaction of its own."""
    from sqlite_utils import Database

    database = Database(connection)
    steps = migrations()
    steps.ensure_migrations_table(database)
    known = {step.name for step in steps.applied(database)}
    database["_sqlite_migrations"].insert_all(  # type: ignore[union-attr]  # it is a table
        {"migration_set": steps.name, "name": step.name, "applied_at": "when it was made"}
        for step in steps.pending(database)
        if step.name not in known and int(step.name) <= version
    )
    steps.apply(database)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def migrations() -> Migrations:
    """Every version of the schema by its number, from 1 to SCHEMA_VERSION, in order."""
    from sqlite_utils import Migrations

    steps = Migrations("errdex")

    @steps(name="1")
    def _tables(database: Database) -> None:
        """Every table, index and the full-text table that there is."""
        _make_all(database.conn)

    @steps(name="2")
    def _postings(database: Database) -> None:
        """From `2 * pattern` with 1 for an exact key, to minus the pattern for a hint."""
        database.conn.execute("CREATE TEMP TABLE postings AS SELECT * FROM pattern_keys")
        database.conn.execute("DELETE FROM pattern_keys")
        database.conn.execute(
            "INSERT INTO pattern_keys SELECT key, iif(posting & 1, 1, -1) * (posting >> 1)"
            " FROM postings ORDER BY key, 2"
        )
        database.conn.execute("DROP TABLE postings")

    return steps


def _make_all(connection: sqlite3.Connection) -> None:
    for statement in (*TABLES.split(";"), *INDEXES.split(";"), FULL_TEXT):
        connection.execute(statement)
