"""What a second process fills beside a new database, in files for the time being.

`errdex.database.bulk` takes both over: first full text and origins, while the patterns are
still being filed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from errdex.database.schema import FULL_TEXT, INDEXES, TABLES

PATTERN_TABLES = ("patterns", "pattern_keys")
TEXT_TABLES = ("errors_fts_data", "errors_fts_idx", "errors_fts_docsize")
"""Tables that FTS5 keeps the full text in."""
ORIGIN_TABLE = "error_sources"

_CACHE_KIB = 8192
_TEXT_BYTES = 16 << 20
"""Words that FTS5 holds in memory before it writes them: the more, the less is merged."""


class Places(NamedTuple):
    """The two files."""

    texts: Path
    patterns: Path


Text = tuple[int, str, str | None, str | None, str]
"""The searched text of an error: its number, message, class, code, documentation. Plain,
since it goes through a pipe."""

Source = tuple[int, bytes, str | None, int, int]
"""The fields of an Origin, as plainly."""


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


class TextsAside(Aside):
    """Full text, and where the content of errors came from."""

    def __init__(self, path: Path, import_number: int) -> None:
        super().__init__(path)
        self._import_number = import_number
        self.connection.execute(FULL_TEXT)
        self.connection.execute(
            "INSERT INTO errors_fts (errors_fts, rank) VALUES ('hashsize', ?)", (_TEXT_BYTES,)
        )

    def add(self, texts: Iterable[Text]) -> None:
        """Add that of some errors."""
        self.connection.executemany(
            "INSERT INTO errors_fts"
            " (rowid, error_message, error_class, error_code, documentation)"
            " VALUES (?, ?, ?, ?, ?)",
            texts,
        )

    def note_origins(self, origins: Iterable[Source]) -> None:
        """Add the origins of some errors."""
        self.connection.executemany(
            "INSERT INTO error_sources (error, digest, seen_version, source, line, import)"
            f" VALUES (?, ?, ?, ?, ?, {self._import_number})",
            origins,
        )

    def finish(self) -> None:
        """Make the index of origins, write all of it, and close."""
        for statement in indexes_of(ORIGIN_TABLE):
            self.connection.execute(statement)
        super().finish()


def indexes_of(*tables: str) -> list[str]:
    """The statements that make the indexes of these tables."""
    return [
        statement
        for statement in INDEXES.split(";")
        if any(f" ON {table} " in statement for table in tables)
    ]
