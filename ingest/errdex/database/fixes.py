"""What is told of a record beside a match: much less to read than its entry."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from json import loads
from typing import NamedTuple


class Fixes(NamedTuple):
    """How an error is mended, and where it is raised."""

    documentation: str
    github_url: str | None
    solutions: list[str]


def fixes_of(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, Fixes]:
    """The fixes of these records by id; those that are not there are left out."""
    rows = connection.execute(
        "SELECT id, documentation, github_url, solutions FROM errors"
        f" WHERE id IN ({', '.join('?' * len(ids))})",
        ids,
    )
    return {
        record_id: Fixes(documentation, address, loads(solutions))
        for record_id, documentation, address, solutions in rows
    }
