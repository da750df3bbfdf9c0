"""What a page depends on, row by row: enough to tell which pages of a site have changed.

Everything streams from covering indexes, in the order in which pages show it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator
from typing import NamedTuple

from errdex.database.browse import By
from errdex.database.queries import Heading

_HEADING = ", ".join(f"errors.{name}" for name in Heading._fields)
_ORDERS: dict[By, str] = {
    "repo": "SELECT repo, number FROM errors ORDER BY repo, slug",
    "tag": "SELECT tag, error FROM error_tags ORDER BY tag, error",
    "family": "SELECT background_tag, number FROM errors WHERE background_tag IS NOT NULL"
    " ORDER BY background_tag, id",
    "code": "SELECT error_code, number FROM errors WHERE error_code IS NOT NULL"
    " ORDER BY error_code, number",
}


class Row(NamedTuple):
    """One error: what lists show of it, and what stands for all the rest."""

    number: int
    pattern: int
    digest: bytes
    dataset_version: str | None
    file_path: str
    line_number: int | None
    analyzed_at: str
    heading: tuple[object, ...]


def state(connection: sqlite3.Connection) -> str:
    """Differs after every import, whichever connection asks."""
    row = connection.execute(
        "SELECT (SELECT max(import) FROM imports), (SELECT max(finished_at) FROM imports),"
        " (SELECT count(*) FROM errors)"
    ).fetchone()
    return " ".join(map(str, row))


def last_number(connection: sqlite3.Connection) -> int:
    """The highest number that an error has; 0 without any."""
    (last,) = connection.execute("SELECT coalesce(max(number), 0) FROM errors").fetchone()
    return int(last)


def rows(connection: sqlite3.Connection) -> Iterator[Row]:
    """Every error, by number."""
    for number, pattern, digest, version, file, line, analyzed, *heading in connection.execute(
        "SELECT number, pattern, digest, dataset_version, file_path, line_number, analyzed_at,"
        f" {_HEADING}"
        " FROM errors JOIN error_sources ON error = number ORDER BY number"
    ):
        yield Row(number, pattern, digest, version, file, line, analyzed, tuple(heading))


def in_files(connection: sqlite3.Connection) -> Iterator[tuple[str, str, int]]:
    """(repo, file, number) of every error, as `browse.same_file` orders them."""
    yield from connection.execute(
        "SELECT repo, file_path, number FROM errors ORDER BY repo, file_path, line_number, number"
    )


def in_lists(connection: sqlite3.Connection, by: By) -> Iterator[tuple[str, int]]:
    """(name, number) of every error under every name, as `Browser.errors` orders them."""
    yield from connection.execute(_ORDERS[by])


def handling(
    connection: sqlite3.Connection, numbers: Collection[int] | None
) -> Iterator[tuple[int, str, int, int]]:
    """(number, snippet, its first line, the raising line) where a handler may be in the snippet,
    of these errors, or of all."""
    some = "" if numbers is None else " AND number IN (SELECT value FROM json_each(?))"
    asked = () if numbers is None else (json.dumps(list(numbers)),)
    yield from connection.execute(
        "SELECT number, source_code, source_code_start, line_number FROM errors"
        " WHERE source_code_start < line_number AND (instr(source_code, 'except')"
        f" OR instr(source_code, 'catch') OR instr(source_code, 'rescue')){some} ORDER BY number",
        asked,
    )


def by_id(connection: sqlite3.Connection) -> Iterator[tuple[str, int]]:
    """(id, number) of every error, by id."""
    yield from connection.execute("SELECT id, number FROM errors ORDER BY id")


def places(connection: sqlite3.Connection) -> Iterator[tuple[str, str, int]]:
    """(repo, slug, number) of every error, by repo and slug."""
    yield from connection.execute("SELECT repo, slug, number FROM errors ORDER BY repo, slug")
