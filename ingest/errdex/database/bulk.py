"""Filling a new database with many records: rows first, indexes at the end.

Half of the work is done beside it (`errdex.database.aside`) by another process at the same
time; it is taken over page by page.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

from errdex.database.aside import ORIGIN_TABLE, PATTERN_TABLES, TEXT_TABLES, indexes_of
from errdex.database.writing import INSERT
from errdex.database.written import Row

_FILLED = ("errors", "error_tags")
_SORTED_KIB = 16384
"""Memory for sorting an index, and no more of it for many records than for few: the rest is
sorted in files. SQLite takes as much as it may cache."""


class Bulk:
    """A new database, within the caller's transaction. The caller sees to it that no id and
    slug comes twice, since unique indexes come last too."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        for statement in indexes_of(*_FILLED, *PATTERN_TABLES):
            connection.execute(f"DROP INDEX {statement.partition(' ON ')[0].split()[-1]}")

    def insert(self, rows: Sequence[Row]) -> None:
        """Insert rows whose ids and slugs nobody has."""
        self._connection.executemany(INSERT, rows)

    def tag(self, first: int, tags: Sequence[str]) -> None:
        """Insert the tags of the rows from number `first` on, a list of JSON for each."""
        self._connection.execute(
            "INSERT INTO error_tags (error, position, tag)"
            " SELECT ? + row.key, tag.key, tag.value FROM json_each(?) AS row"
            " JOIN json_each(row.value) AS tag",
            (first, f"[{','.join(tags)}]"),
        )

    def finish(self) -> None:
        """Make the indexes, while the system writes the rows to the disk."""
        (_, _, path) = self._connection.execute("PRAGMA database_list").fetchone()
        Thread(target=_write_out, args=(Path(path),), daemon=True).start()
        self._connection.execute(f"PRAGMA cache_size = -{_SORTED_KIB}")
        for statement in indexes_of(*_FILLED):
            self._connection.execute(statement)

    def take_over_texts(self, aside: Path) -> None:
        """Take over origins and full text. Where SQLite is built so that nobody may write to
        the tables of the full text, that is made anew."""
        with self._attached(aside):
            self._take_over(ORIGIN_TABLE)
            try:
                for table in TEXT_TABLES:
                    self._connection.execute(f"DELETE FROM main.{table}")
                    self._take_over(table)
            except sqlite3.DatabaseError:
                self._connection.execute("INSERT INTO errors_fts (errors_fts) VALUES ('rebuild')")

    def take_over_patterns(self, aside: Path) -> None:
        """Take over the patterns and what they are filed under."""
        with self._attached(aside):
            for table in PATTERN_TABLES:
                self._take_over(table)
        for statement in indexes_of(*PATTERN_TABLES):
            self._connection.execute(statement)

    @contextmanager
    def _attached(self, aside: Path) -> Iterator[None]:
        self._connection.execute("COMMIT")  # of a file that nobody sees yet
        self._connection.execute("ATTACH ? AS aside", (str(aside),))
        yield
        self._connection.execute("DETACH aside")
        self._connection.execute("BEGIN")

    def _take_over(self, table: str) -> None:
        """Same schema, same indexes, empty table: so SQLite copies cells as they are."""
        self._connection.execute(f"INSERT INTO main.{table} SELECT * FROM aside.{table}")


def _write_out(path: Path) -> None:
    """Have what was written so far on the disk, so that less is left for the end."""
    with suppress(OSError), path.open("rb") as file:
        os.fsync(file.fileno())
