"""What the browser's index is made of: patterns under their keys, records under patterns."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Collection, Iterable, Iterator
from hashlib import blake2b
from typing import NamedTuple
from zlib import crc32

from errdex.database import fingerprints
from errdex.database.fingerprints import Row
from errdex.match.keys import SHORT_BASE

_RECORD = (
    "id, repo, slug, error_class, error_code, error_message, severity, file_path, line_number,"
    " retired_at IS NOT NULL"
)
FACTOR, MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1
"""Of a polynomial over hashes: what is made of many of them need not be hashed again."""
_PATTERN = "SELECT pattern, source, kind, stand_in, bits FROM patterns"


class FiledPattern(NamedTuple):
    """A pattern as the database keeps it."""

    number: int
    source: str
    kind: str
    stand_in: str | None
    bits: float


def exact_keys(connection: sqlite3.Connection) -> array[int]:
    """The boundary keys that some pattern has as its exact one, each once, in order."""
    rows = connection.execute(
        "SELECT DISTINCT key FROM pattern_keys WHERE posting > 0 AND key < ? ORDER BY key",
        (SHORT_BASE,),
    )
    return array("I", (key for (key,) in rows))


def hint_keys(connection: sqlite3.Connection) -> array[int]:
    """The boundary keys that are a hint of some pattern, each once, in order."""
    rows = connection.execute(
        "SELECT DISTINCT key FROM pattern_keys WHERE posting < 0 ORDER BY key"
    )
    return array("I", (key for (key,) in rows))


def count_hint_keys(connection: sqlite3.Connection) -> int:
    """How many `hint_keys` there are."""
    (count,) = connection.execute(
        "SELECT count(DISTINCT key) FROM pattern_keys WHERE posting < 0"
    ).fetchone()
    return int(count)


def all_postings(connection: sqlite3.Connection) -> Iterator[tuple[int, int]]:
    """(key, posting) of every boundary key, in order."""
    return postings(connection, 0, SHORT_BASE)


def marks(connection: sqlite3.Connection) -> array[int]:
    """For each pattern, by its number, 8 bytes that change with it, with where it is filed, and
    with what its records show."""
    found = marks_of_patterns(connection)
    for _ in marking(fingerprints.rows(connection), found):
        pass
    return found


def marks_of_patterns(connection: sqlite3.Connection) -> array[int]:
    """`marks` before `marking` has added those of the records."""
    found = array("Q", homes(connection))
    for number, digest in connection.execute("SELECT pattern, digest FROM patterns"):
        found[number] = ((found[number] * FACTOR + number) * FACTOR + digest) & MASK
    return found


def marking(rows: Iterable[Row], found: array[int]) -> Iterator[tuple[Row, int]]:
    """Each of `fingerprints.rows` with 8 bytes that change with its heading and its file. As they
    pass, they are added to the marks of their patterns."""
    for row in rows:
        heading = repr(row.heading).encode()
        file = row.file_path.encode("utf-8", "surrogatepass")
        shown = int.from_bytes(blake2b(heading, digest_size=8).digest()) ^ crc32(file)
        mark = found[row.pattern] * FACTOR + shown
        found[row.pattern] = (mark * FACTOR + (row.line_number or 0)) & MASK
        yield row, shown


def homes(connection: sqlite3.Connection) -> array[int]:
    """The exact boundary key of each pattern, by its number; 0 for those without any."""
    (last,) = connection.execute("SELECT coalesce(max(pattern), 0) FROM patterns").fetchone()
    found = array("I", bytes(4 * (last + 1)))
    for key, posting in connection.execute(
        "SELECT key, posting FROM pattern_keys WHERE posting > 0 AND key < ?", (SHORT_BASE,)
    ):
        found[posting] = key
    return found


def postings(connection: sqlite3.Connection, start: int, end: int) -> Iterator[tuple[int, int]]:
    """(key, posting) of the keys from `start` to `end` (exclusive), in order."""
    yield from connection.execute(
        "SELECT key, posting FROM pattern_keys WHERE key >= ? AND key < ? ORDER BY key, posting",
        (start, end),
    )


def exact_patterns(connection: sqlite3.Connection, start: int, end: int) -> Iterator[FiledPattern]:
    """The patterns whose exact keys are from `start` to `end` (exclusive), by number."""
    rows = connection.execute(
        f"{_PATTERN} WHERE pattern IN (SELECT posting FROM pattern_keys"
        " WHERE key >= ? AND key < ? AND posting > 0) ORDER BY pattern",
        (start, end),
    )
    yield from map(FiledPattern._make, rows)


def without_boundary(connection: sqlite3.Connection) -> Iterator[FiledPattern]:
    """The patterns that no boundary key leads to: of kind U, or under a short window."""
    rows = connection.execute(
        f"{_PATTERN} WHERE kind = 'U' OR pattern IN"
        " (SELECT posting FROM pattern_keys WHERE key >= ?) ORDER BY pattern",
        (SHORT_BASE,),
    )
    yield from map(FiledPattern._make, rows)


def records(connection: sqlite3.Connection, number: int, limit: int) -> list[list[object]]:
    """The first records of a pattern: what ranking needs, and what a result shows."""
    rows = connection.execute(
        f"SELECT {_RECORD} FROM errors WHERE pattern = ? ORDER BY number LIMIT ?", (number, limit)
    )
    return [list(row) for row in rows]


def records_of(
    connection: sqlite3.Connection, numbers: Collection[int]
) -> dict[int, list[list[object]]]:
    """All records of these patterns, by pattern, as `records` gives them."""
    found: dict[int, list[list[object]]] = {number: [] for number in numbers}
    some = ",".join(map(str, numbers))  # few, and whole numbers
    for pattern, *row in connection.execute(
        f"SELECT pattern, {_RECORD} FROM errors WHERE pattern IN ({some}) ORDER BY number"
    ):
        found[pattern].append(row)
    return found


def shared(connection: sqlite3.Connection, more_than: int) -> Iterator[int]:
    """Numbers of the patterns that more than so many records have, in order."""
    rows = connection.execute(
        "SELECT pattern FROM errors GROUP BY pattern HAVING count(*) > ? ORDER BY pattern",
        (more_than,),
    )
    for (number,) in rows:
        yield number


def version(connection: sqlite3.Connection, marks: array[int], form: str) -> str:
    """12 hex digits that change with anything that the index holds, or with its form."""
    digest = blake2b(form.encode(), digest_size=6)
    digest.update(marks.tobytes())
    postings = connection.execute(
        "SELECT count(*), sum(key), sum(posting), sum(key % 65521 * posting % 65521)"
        " FROM pattern_keys"
    ).fetchone()
    digest.update(repr(postings).encode())
    return digest.hexdigest()
