"""What matching reads of the database: patterns by number, records by pattern, guesses."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from typing import NamedTuple

from errdex.patterns import Pattern, restore

_MOST_PARAMETERS = 4096


class RecordRow(NamedTuple):
    """What ranking needs of a record."""

    number: int
    id: str
    repo: str
    slug: str
    error_class: str | None
    error_code: str | None
    error_message: str
    severity: str
    file_path: str
    line_number: int | None
    retired_at: str | None
    pattern: int


class PatternRow(NamedTuple):
    """An analysed pattern and the information of its literals."""

    pattern: Pattern
    bits: float
    probe: str
    """The longest literal: a text without it need not be tried."""


_BUSY = 1000
"""Records that a word may be in; ranking so many takes about three milliseconds."""

_COLUMNS = ", ".join(f"errors.{name}" for name in RecordRow._fields)


def read_patterns(
    connection: sqlite3.Connection, numbers: Collection[int]
) -> dict[int, PatternRow]:
    """The patterns with these numbers."""
    found: dict[int, PatternRow] = {}
    wanted = list(numbers)
    for at in range(0, len(wanted), _MOST_PARAMETERS):
        some = wanted[at : at + _MOST_PARAMETERS]
        rows = connection.execute(
            "SELECT pattern, source, kind, stand_in, bits FROM patterns"
            f" WHERE pattern IN ({','.join('?' * len(some))})",
            some,
        )
        for number, source, kind, stand_in, bits in rows:
            pattern = restore(source, kind, stand_in)
            found[number] = PatternRow(pattern, bits, max(pattern.pieces, key=len, default=""))
    return found


def read_records(
    connection: sqlite3.Connection,
    pattern: int,
    limit: int,
    repo: str | None = None,
    tags: Collection[str] = (),
) -> list[RecordRow]:
    """The first records of a pattern, as far as repo and all the tags fit."""
    where, values = ["pattern = ?"], [pattern, *([repo] if repo else []), *tags]
    if repo:
        where.append("repo = ? COLLATE NOCASE")
    where += ["number IN (SELECT error FROM error_tags WHERE tag = ?)"] * len(tags)
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM errors WHERE {' AND '.join(where)} ORDER BY number LIMIT ?",
        [*values, limit],
    )
    return [RecordRow._make(row) for row in rows]


def guess_records(
    connection: sqlite3.Connection, words: Sequence[str], limit: int, repo: str | None = None
) -> list[RecordRow]:
    """Records whose text has most to do with any of the words (FTS5, BM25), best first.

    The message weighs most, then class and code, then the documentation. Words that very
    many records have are passed over: ranking all of these takes long, and says little.
    """
    terms = ['"' + word.replace('"', '""') + '"' for word in words]
    query = " OR ".join(term for term in terms if not _is_busy(connection, term))
    if not query:
        return []
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM errors_fts JOIN errors ON errors.number = errors_fts.rowid"
        " WHERE errors_fts MATCH ? AND (? IS NULL OR repo = ? COLLATE NOCASE)"
        " ORDER BY bm25(errors_fts, 4.0, 2.0, 2.0, 1.0), errors.id LIMIT ?",
        (query, repo, repo, limit),
    )
    return [RecordRow._make(row) for row in rows]


def _is_busy(connection: sqlite3.Connection, term: str) -> bool:
    found = "SELECT 1 FROM errors_fts WHERE errors_fts MATCH ? LIMIT ?"
    (count,) = connection.execute(f"SELECT count(*) FROM ({found})", (term, _BUSY + 1)).fetchone()
    return bool(count > _BUSY)
