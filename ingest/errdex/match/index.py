"""Which patterns could match a text: those that are filed under one of its keys.

`errdex.match.filing` says what they are filed under, and writes it. Patterns without any
key (kind U) are asked for as a list.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import islice

from errdex.match.keys import SHORT_BASE

LEAST_PROMISE = 0.1
"""A text with one key that ten other patterns have says nothing for one of them."""
MOST_PROMISING = 40
"""Patterns that are looked for in part; each costs some 50 microseconds a view."""
MOST_PROMISING_BESIDE = 20
"""As many beside a whole message that says enough."""

_MOST_PARAMETERS = 4096


def exact_candidates(connection: sqlite3.Connection, keys: Collection[int]) -> set[int]:
    """Numbers of the patterns whose exact key is among the keys of a text.

    No pattern that matches the text is missed, but for those of kind U, which have none.
    """
    found = _look_up(connection, "posting", "AND posting > 0", keys)
    return {number for (number,) in found}


def promising_candidates(
    connection: sqlite3.Connection, boundary: Collection[int], leave_out: Collection[int]
) -> list[int]:
    """Numbers of the patterns of which a text may hold a part, the likeliest first. A key
    that few patterns are filed under promises more."""
    filed: dict[int, list[int]] = {}
    for key, number in _look_up(connection, "key, abs(posting)", "", boundary):
        filed.setdefault(key, []).append(number)
    promise: dict[int, float] = {}
    for numbers in filed.values():
        for number in numbers:
            promise[number] = promise.get(number, 0.0) + 1.0 / len(numbers)
    left = [n for n, much in promise.items() if much >= LEAST_PROMISE and n not in leave_out]
    left.sort(key=lambda number: (-promise[number], number))
    return left


def unfiled(connection: sqlite3.Connection) -> list[int]:
    """Numbers of the patterns that every text is tried on."""
    return [
        number for (number,) in connection.execute("SELECT pattern FROM patterns WHERE kind = 'U'")
    ]


def short_keys(connection: sqlite3.Connection) -> frozenset[int]:
    """The short windows, without SHORT_BASE, that any pattern is filed under: about one
    for each hundred patterns."""
    keys = connection.execute(
        "SELECT DISTINCT key - ?1 FROM pattern_keys WHERE key >= ?1", (SHORT_BASE,)
    )
    return frozenset(key for (key,) in keys)


def _look_up(
    connection: sqlite3.Connection, columns: str, condition: str, keys: Iterable[int]
) -> list[tuple[int, ...]]:
    rows: list[tuple[int, ...]] = []
    for some in _batches(keys, _MOST_PARAMETERS):
        rows += connection.execute(
            f"SELECT {columns} FROM pattern_keys WHERE key IN ({_marks(len(some))}) {condition}",
            _padded(some),
        ).fetchall()
    return rows


def _batches(keys: Iterable[int], size: int) -> Iterator[list[int]]:
    waiting = iter(keys)
    while some := list(islice(waiting, size)):
        yield some


def _room(count: int) -> int:
    """The count rounded up by an eighth at most, so that few statements need to be compiled."""
    step = max(8, 1 << max(0, count.bit_length() - 3))
    return -(-count // step) * step


@cache
def _marks(count: int) -> str:
    return ",".join("?" * _room(count))


def _padded(keys: list[int]) -> list[int]:
    return keys + keys[:1] * (_room(len(keys)) - len(keys))
