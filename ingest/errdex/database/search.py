"""Full-text search: the words that people type → the errors that hold them, best first."""

from __future__ import annotations

import re
import secrets
import sqlite3
from typing import NamedTuple

from errdex.database.queries import Heading

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*_*|_+[^\W_]+(?:_+[^\W_]+)*_*")
_MAX_WORDS = 32
_WEIGHTS = "4.0, 6.0, 6.0, 1.0"
"""BM25 weights of message, class, code and documentation: names say more than prose."""
_COUNTED = 10_000
"""More hits than this are not counted."""
_HEADING = ", ".join(f"errors.{name}" for name in Heading._fields)


class Piece(NamedTuple):
    """A stretch of a snippet."""

    text: str
    hit: bool
    """Whether it is one of the words that were asked for."""


class Hit(NamedTuple):
    """One error that was found."""

    heading: Heading
    snippet: list[Piece]
    """The part of its text that holds most of the words."""


class Found(NamedTuple):
    """One page of what was found."""

    total: int
    """How many there are in all, counted up to 10,000."""
    hits: list[Hit]


def words(text: str) -> list[str]:
    """The words of a question, at most 32; everything between them is left out."""
    return _WORD.findall(text)[:_MAX_WORDS]


def search(connection: sqlite3.Connection, text: str, *, limit: int = 20, offset: int = 0) -> Found:
    """The errors that hold every word of `text`, the last one also as a beginning."""
    asked = words(text)
    if not asked:
        return Found(0, [])
    question = " ".join(f'"{word}"' for word in asked) + "*"
    (total,) = connection.execute(
        "SELECT count(*) FROM"
        f" (SELECT 1 FROM errors_fts WHERE errors_fts MATCH ? LIMIT {_COUNTED})",
        (question,),
    ).fetchone()
    opening, closing = f"\ue000{secrets.token_hex(8)}\ue001", f"\ue000{secrets.token_hex(8)}\ue001"
    rows = connection.execute(
        f"SELECT {_HEADING}, snippet(errors_fts, -1, ?, ?, '…', 24)"
        " FROM errors_fts JOIN errors ON errors.number = errors_fts.rowid"
        f" WHERE errors_fts MATCH ? ORDER BY bm25(errors_fts, {_WEIGHTS}), errors.number"
        " LIMIT ? OFFSET ?",
        (opening, closing, question, limit, offset),
    )
    return Found(
        total, [Hit(Heading(*row[:-1]), _pieces(row[-1], opening, closing)) for row in rows]
    )


def _pieces(marked: str, opening: str, closing: str) -> list[Piece]:
    """The snippet cut at its markers, which nobody could guess and so nobody could write."""
    pieces = []
    for at, part in enumerate(marked.split(opening)):
        hit, _, rest = part.partition(closing) if at else ("", "", part)
        pieces += [Piece(hit, True), Piece(rest, False)]
    return [piece for piece in pieces if piece.text]
