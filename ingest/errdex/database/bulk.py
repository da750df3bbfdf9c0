"""Filling a new database with many records: rows first, indexes and full text at the end.

Half of the work is done beside it, in a database of its own (`Aside`), which another
process may write at the same time; `merge` takes it over page by page.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from errdex.database.schema import INDEXES, TABLES
from errdex.database.writing import INSERT, Row

_TABLES_ASIDE = ("patterns", "pattern_keys", "error_tags", "error_sources")


Beside = tuple[int, str, bytes, str | None, int, int]
"""What belongs to a row of `errors` in other tables: its number, its tags as JSON, and its
origin (digest, dataset version, source, line). Plain, since it goes through a pipe."""


class Aside:
    """The tables that are filled beside `errors`: patterns, tags and origins."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        _make_fast(self.connection, page_size=32768)
        for statement in TABLES.split(";"):
            self.connection.execute(statement)
        self.connection.execute("BEGIN")

    def add(self, rows: Sequence[Beside], import_number: int) -> None:
        """Add the tags and origins of some errors."""
        self.connection.executemany(
            "INSERT INTO error_tags (error, position, tag) SELECT ?, key, value FROM json_each(?)",
            [row[:2] for row in rows],
        )
        self.connection.executemany(
            "INSERT INTO error_sources (error, digest, seen_version, source, line, import)"
            f" VALUES (?, ?, ?, ?, ?, {import_number})",
            [(row[0], *row[2:]) for row in rows],
        )

    def finish(self) -> None:
        """Make the indexes, so that they are taken over too; close."""
        for statement in INDEXES.split(";"):
            if any(f" ON {table} " in statement for table in _TABLES_ASIDE):
                self.connection.execute(statement)
        self.connection.execute("COMMIT")
        self.connection.close()


class Bulk:
    """`errors` of a new database, within the caller's transaction.

    Its unique indexes come last too: the caller sees to it that no id and slug comes twice.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._later = [statement for statement in INDEXES.split(";") if " ON errors " in statement]
        for statement in self._later:
            connection.execute(f"DROP INDEX {statement.partition(' ON ')[0].split()[-1]}")

    def insert(self, rows: Sequence[Row]) -> None:
        """Insert rows whose ids and slugs nobody has."""
        self._connection.executemany(INSERT, rows)

    def merge(self, aside: Path) -> None:
        """Take over what was written aside."""
        self._connection.execute("COMMIT")  # of a file that nobody sees yet
        self._connection.execute("ATTACH ? AS aside", (str(aside),))
        for table in _TABLES_ASIDE:  # same schema, so SQLite copies pages, not rows
            self._connection.execute(f"INSERT INTO main.{table} SELECT * FROM aside.{table}")
        self._connection.execute("DETACH aside")
        self._connection.execute("BEGIN")

    def finish(self) -> None:
        """Make the indexes and the full text of `errors`."""
        for statement in self._later:
            self._connection.execute(statement)
        self._connection.execute("INSERT INTO errors_fts (errors_fts) VALUES ('rebuild')")


def _make_fast(connection: sqlite3.Connection, *, page_size: int) -> None:
    """For files that are thrown away when anything goes wrong."""
    connection.execute(f"PRAGMA page_size = {page_size}")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
