"""`errdex_match(text)` in SQL: the matches of a text as a JSON array, for `json_each`.

    SELECT value ->> 'id', value ->> 'score' FROM json_each(errdex_match(:text))

A function in Python cannot be interrupted while it runs, so each call reads the first
20,000 characters only; between calls Datasette's own time limit holds.
"""

from __future__ import annotations

import sqlite3

import msgspec

from datasette_errdex.readers import Readers

MAX_CHARACTERS = 20_000
"""Of a text that are read. Raising instead would log a traceback at every call."""
_MATCHES = 10


def add_functions(connection: sqlite3.Connection, readers: Readers) -> None:
    """Make `errdex_match` known to this connection."""

    def errdex_match(text: object) -> str | None:
        if text is None:
            return None
        read = str(text)[:MAX_CHARACTERS]
        answer = readers.ask_here(lambda reader: reader.matcher.match(read, limit=_MATCHES))
        return msgspec.json.encode([match.as_json() for match in answer.matches]).decode()

    connection.create_function("errdex_match", 1, errdex_match)
