"""Words of messages, classes and codes → patterns: what the browser guesses by.

The words are put into a temporary table, which lives outside the file, once a connection.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from zlib import crc32

from errdex.match.information import COMMON_WORDS

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,40}")
_LONGEST = 2000
"""Characters of a message that are read."""


def words(text: str) -> set[str]:
    """The words of a text that say something."""
    return {word.lower() for word in _WORD.findall(text[:_LONGEST])} - COMMON_WORDS


def shard_of(word: str, bits: int) -> int:
    """The file that a word is in, of 2 ** bits."""
    return crc32(word.encode()) >> 32 - bits


def fill(connection: sqlite3.Connection, bits: int) -> None:
    """Make the table of words, anew if it is there."""
    connection.execute("DROP TABLE IF EXISTS temp.words")
    connection.execute(
        "CREATE TEMP TABLE words (shard INTEGER, word TEXT, pattern INTEGER,"
        " PRIMARY KEY (shard, word, pattern)) WITHOUT ROWID"
    )
    rows = connection.execute(
        "SELECT pattern, error_message, error_class, error_code FROM errors ORDER BY pattern"
    )
    connection.executemany(
        "INSERT OR IGNORE INTO temp.words VALUES (?, ?, ?)",
        (
            (shard_of(word, bits), word, pattern)
            for pattern, *texts in rows
            for word in words(" ".join(filter(None, texts)))
        ),
    )


def patterns_of_words(
    connection: sqlite3.Connection, shard: int, most: int
) -> Iterator[tuple[str, list[int]]]:
    """(word, its patterns by number) of a file of words, but for words of more than `most`."""
    rows = connection.execute(
        "SELECT word, pattern FROM temp.words WHERE shard = ? ORDER BY word, pattern", (shard,)
    )
    for word, group in groupby(rows, itemgetter(0)):
        numbers = [number for _, number in group]
        if len(numbers) <= most:
            yield word, numbers
