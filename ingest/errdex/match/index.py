"""Which patterns could match a text: each is filed under keys of its required literals."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence


class IndexWriter:
    """Files patterns in the database, within the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, sources: Sequence[str]) -> dict[str, int]:
        """File these pattern sources where they are new; the number of each."""
        self._connection.executemany(
            "INSERT OR IGNORE INTO patterns (source, kind, bits) VALUES (?, 'X', 0)",
            [(source,) for source in sources],
        )
        numbers = {}
        for source in set(sources):
            row = self._connection.execute(
                "SELECT pattern FROM patterns WHERE source = ?", (source,)
            )
            numbers[source] = row.fetchone()[0]
        return numbers

    def finish(self) -> None:
        """Write what is still held back."""
