"""The one way from a text to its records, for every caller."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from errdex.match.answers import Answer


class Matcher:
    """Matches texts against the records of one open database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def match(
        self,
        text: str,
        *,
        limit: int = 10,
        repo: str | None = None,
        tags: Collection[str] = (),
    ) -> Answer:
        """The records that `text` holds the message of, best first, at most `limit`."""
        return Answer(matches=[], secret=False)
