"""`errdex_match(text)` in SQL: the matches of a text as a JSON array, for `json_each`.

    SELECT value ->> 'id', value ->> 'score' FROM json_each(errdex_match(:text))

A function in Python cannot be interrupted while it runs, so each call is bounded by the
length of its text; between calls Datasette's own time limit holds.
"""

from __future__ import annotations

import sqlite3

import msgspec

from datasette_errdex.library import Library

MAX_CHARACTERS = 20_000
"""Of the text in one call; a longer one is an error in the query."""
_MATCHES = 10


def add_functions(connection: sqlite3.Connection, library: Library) -> None:
    """Make `errdex_match` known to this connection."""

    def errdex_match(text: object) -> str | None:
        if text is None:
            return None
        if not isinstance(text, str):
            text = str(text)
        if len(text) > MAX_CHARACTERS:
            raise ValueError(f"errdex_match takes at most {MAX_CHARACTERS} characters")
        answer = library.ask_here(lambda reader: reader.matcher.match(text, limit=_MATCHES))
        return msgspec.json.encode(answer.matches).decode()

    connection.create_function("errdex_match", 1, errdex_match)
