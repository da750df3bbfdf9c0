"""What a second process fills beside a new database, in files for the time being.

`errdex.database.bulk` takes both over: first what belongs to the records, while the
patterns are still being filed.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import NamedTuple

from errdex.database.schema import FULL_TEXT, INDEXES, TABLES

PATTERN_TABLES = ("patterns", "pattern_keys")
RECORD_TABLES = ("error_tags", "error_sources")
TEXT_TABLES = ("errors_fts_data", "errors_fts_idx", "errors_fts_docsize")
"""Tables that FTS5 keeps the full text in."""

_CACHE_KIB = 8192
_TEXT_BYTES = 16 << 20
"""Words that FTS5 holds in memory before it writes them: the more, the less is merged."""


class Places(NamedTuple):
    """The two files."""

    records: Path
    patterns: Path


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
    """A file with the tables of a database, and without the indexes that come later."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        for setting in ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"):
            self.connection.execute(f"PRAGMA {setting}")  # it is thrown away in any case
        self.connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        for statement in TABLES.split(";"):
            self.connection.execute(statement)
        self.connection.execute("BEGIN")

    def finish(self) -> None:
        """Write all of it, and close."""
        self.connection.execute("COMMIT")
        self.connection.close()


class RecordsAside(Aside):
    """Tags, origins and full text."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.connection.execute(FULL_TEXT)
        self.connection.execute(
            "INSERT INTO errors_fts (errors_fts, rank) VALUES ('hashsize', ?)", (_TEXT_BYTES,)
        )

    def add(self, beside: Beside, import_number: int) -> None:
        """Add those of some errors."""
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


def indexes_of(*tables: str) -> list[str]:
    """The statements that make the indexes of these tables."""
    return [
        statement
        for statement in INDEXES.split(";")
        if any(f" ON {table} " in statement for table in tables)
    ]
