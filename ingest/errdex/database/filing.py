"""What whole logs are searched with: under which keys the patterns are filed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

_MOST_PARAMETERS = 4096


def exact_keys(connection: sqlite3.Connection, least_bits: float) -> list[tuple[int, int]]:
    """(key, number) of each pattern that says at least so much, by key."""
    return connection.execute(
        "SELECT key, posting FROM pattern_keys JOIN patterns ON pattern = posting"
        " WHERE posting > 0 AND bits >= ? ORDER BY key, posting",
        (least_bits,),
    ).fetchall()


def unfiled_patterns(connection: sqlite3.Connection, least_bits: float) -> list[int]:
    """Numbers of the patterns without a key that say at least so much."""
    return [
        number
        for (number,) in connection.execute(
            "SELECT pattern FROM patterns WHERE kind IN ('U', 'X') AND bits >= ?"
            " AND NOT EXISTS (SELECT 1 FROM pattern_keys WHERE posting = pattern)",
            (least_bits,),
        )
    ]


def signs_of_pattern(
    connection: sqlite3.Connection, pattern: int
) -> list[tuple[str | None, str | None, str]]:
    """The distinct (class, code, path of the file) of the pattern's records."""
    return connection.execute(
        "SELECT DISTINCT error_class, error_code, file_path FROM errors WHERE pattern = ?",
        (pattern,),
    ).fetchall()


def pattern_sources(
    connection: sqlite3.Connection, numbers: Sequence[int]
) -> list[tuple[int, str, str]]:
    """(number, source, kind) of these patterns."""
    found: list[tuple[int, str, str]] = []
    for at in range(0, len(numbers), _MOST_PARAMETERS):
        some = numbers[at : at + _MOST_PARAMETERS]
        found += connection.execute(
            "SELECT pattern, source, kind FROM patterns"
            f" WHERE pattern IN ({','.join('?' * len(some))})",
            some,
        )
    return found
