"""Filling a new database with many records: rows first, indexes at the end.

Half of the work is done beside it, in a database of its own (`Aside`), which another
process may write at the same time; `merge` takes it over page by page.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from errdex.database.schema import FULL_TEXT, INDEXES, TABLES
from errdex.database.writing import INSERT, Row

_TABLES_ASIDE = ("patterns", "pattern_keys", "error_tags", "error_sources")
_TEXT_ASIDE = ("errors_fts_data", "errors_fts_idx", "errors_fts_docsize")
"""Tables that FTS5 keeps the full text in."""

_CACHE_KIB = 32768
_TEXT_BYTES = 16 << 20
"""Words that FTS5 holds in memory before it writes them: the more, the less is merged."""


class Beside(NamedTuple):
    """What belongs to some rows of `errors` in other tables. It goes through a pipe, so that
    everything in it is plain."""

    first: int
    """The number of the first row; the others count on from it."""
    tags: list[str]
    """Those of each row, as JSON."""
    origins: list[tuple[int, bytes, str | None, int, int]]
    """Number, digest, dataset version, source, line."""
    texts: list[tuple[int, str, str | None, str | None, str]]
    """Number, message, class, code, documentation."""


class Aside:
    """The tables that are filled beside `errors`: patterns, tags and origins."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        _make_fast(self.connection, page_size=32768)
        for statement in (*TABLES.split(";"), FULL_TEXT):
            self.connection.execute(statement)
        self.connection.execute(
            "INSERT INTO errors_fts (errors_fts, rank) VALUES ('hashsize', ?)", (_TEXT_BYTES,)
        )
        self.connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self.connection.execute("BEGIN")

    def add(self, beside: Beside, import_number: int) -> None:
        """Add the tags, origins and full text of some errors."""
        self.connection.execute(
            "INSERT INTO error_tags (error, position, tag)"
            " SELECT ? + row.key, tag.key, tag.value FROM json_each(?) AS row"
            " JOIN json_each(row.value) AS tag",
            (beside.first, f"[{','.join(beside.tags)}]"),
        )
        self.connection.executemany(
            "INSERT INTO error_sources (error, digest, seen_version, source, line, import)"
            f" VALUES (?, ?, ?, ?, ?, {import_number})",
            beside.origins,
        )
        self.connection.executemany(
            "INSERT INTO errors_fts"
            " (rowid, error_message, error_class, error_code, documentation)"
            " VALUES (?, ?, ?, ?, ?)",
            beside.texts,
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

    def finish(self) -> None:
        """Make the indexes of `errors`."""
        for statement in self._later:
            self._connection.execute(statement)

    def merge(self, aside: Path) -> None:
        """Take over what was written aside."""
        self._connection.execute("COMMIT")  # of a file that nobody sees yet
        self._connection.execute("ATTACH ? AS aside", (str(aside),))
        for table in _TABLES_ASIDE:
            self._take_over(table)
        self._take_over_text()
        self._connection.execute("DETACH aside")
        self._connection.execute("BEGIN")

    def _take_over(self, table: str) -> None:
        """Same schema, empty table: so SQLite copies cells as they are."""
        self._connection.execute(f"INSERT INTO main.{table} SELECT * FROM aside.{table}")

    def _take_over_text(self) -> None:
        """Where SQLite is built so that nobody may write to these tables, do it anew."""
        try:
            for table in _TEXT_ASIDE:
                self._connection.execute(f"DELETE FROM main.{table}")
                self._take_over(table)
        except sqlite3.DatabaseError:
            self._connection.execute("INSERT INTO errors_fts (errors_fts) VALUES ('rebuild')")


def _make_fast(connection: sqlite3.Connection, *, page_size: int) -> None:
    """For files that are thrown away when anything goes wrong."""
    connection.execute(f"PRAGMA page_size = {page_size}")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
