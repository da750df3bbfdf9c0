"""The index that the browser matches with, in many small files, fetched as a text needs them.

/match/index.json           the root: which keys there are, the patterns without any
/match/index/version.json   the version that the root has
/match/index/hints.json     the filter of the keys that are hints only
/match/index/k/{xxxx}.json  what is filed under a range of keys
/match/index/r/{n}.json     the records of a pattern that many share, or without key
/match/index/s/{n}.json     patterns without key, as `errdex_site.loose` parts them
/match/index/w/{xxxx}.json  the patterns whose messages hold a word, by word

A shard names each key's exact patterns, written out with their records, and its hints: the
number of a pattern and the shard that has it written out.

Files keep their names, so that an import rewrites only those in which something changed. The
root has the version of the whole. A browser asks for files with it behind a `?`, so that no
cache gives one of another build, and asks for the version again after it has fetched some:
if that has changed, it reads the root anew and matches again.
"""

from __future__ import annotations

import json
import re
import sqlite3
from array import array
from collections.abc import Iterator
from functools import cached_property

from errdex.database import filed, worded
from errdex.database.filed import FACTOR, MASK, FiledPattern
from errdex.match.keys import SHORT_BASE
from errdex.patterns import template_pattern
from errdex_site import filters, loose
from errdex_site.loose import Loose

ROOT = "/match/index.json"

_VERSION = "/match/index/version.json"
_FORM = 3
"""Raised with every change of what the files hold or mean; `index.js` knows the same one."""
_FOLDER = "/match/index/"
_PATH = re.compile(
    r"/match/index/(?:(hints)|k/([0-9a-f]{1,8})|r/(\d{1,9})|w/([0-9a-f]{1,8})"
    r"|s/(\d{1,9}))\.json"
)
_SIGNS = re.compile(r"[\^$.*+?()\[\]{}|\\]")
_PLACEHOLDER = re.compile(r"\{([^{}\n]{1,80})\}")
_EXACT_BITS = 3
_MANY_KEYS, _BITS_OF_MANY = 100_000, 2
"""With so many keys a smaller filter saves more than the needless files cost that it lets through:
at a million records it would be nearly all that a first paste fetches."""
_HINT_BITS = 2
_POSTINGS_A_SHARD = 24
_MOST_INLINE = 4
"""Records that are written out with their pattern; more stand in a file of their own."""
_MOST_OF_A_WORD = 400
"""Patterns; a word of more says too little."""
_MOST_RECORDS = 400
"""Of one pattern, as in `errdex.match.engine`."""


class Shards:
    """The files of one open database. What is read of it whole is kept, 12 bytes a pattern."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._worded = ""
        """The version of the index that the table of words was made for."""

    def know(self, marks: array[int]) -> None:
        """Be spared to read `filed.marks`, as the caller has."""
        self._marks = marks

    def paths(self) -> Iterator[str]:
        """Every file of the index."""
        yield ROOT
        yield _VERSION
        yield f"{_FOLDER}hints.json"
        yield from map(self._shard_path, range(1 << self._bits))
        for number in sorted(self._apart):
            yield f"{_FOLDER}r/{number}.json"
        for number in range(len(self._loose.files)):
            yield f"{_FOLDER}s/{number}.json"
        yield from map(self._words_path, range(1 << self._word_bits))

    def file(self, path: str) -> bytes | None:
        """The file at `path`; None when the index has none there."""
        if path == ROOT:
            return _written(self._root())
        if path == _VERSION:
            return _written(self.version)
        hit = _PATH.fullmatch(path)
        if hit is None:
            return None
        if hit[1]:
            keys = filed.hint_keys(self._connection)
            return _written(filters.build(keys, _HINT_BITS)._asdict())
        if hit[4]:
            number = int(hit[4], 16)
            known = number < 1 << self._word_bits and path == self._words_path(number)
            return _written(self._words(number)) if known else None
        if hit[2]:
            number = int(hit[2], 16)
            known = number < 1 << self._bits and path == self._shard_path(number)
            return _written(self._shard(number)) if known else None
        number = int(hit[3] or hit[5])
        if hit[5]:
            known = number < len(self._loose.files) and path == f"{_FOLDER}s/{number}.json"
            return _written(loose.columns(self._loose.files[number])) if known else None
        if number not in self._apart:
            return None
        return _written(filed.records(self._connection, number, _MOST_RECORDS))

    def signatures(self) -> Iterator[tuple[str, int]]:
        """Each of `paths` with a number that changes with what the file holds."""
        version = int(self.version, 16) or 1
        yield ROOT, version
        yield _VERSION, version
        marks = self._marks
        shift, hinted = 32 - self._bits, 0
        found = array("Q", bytes(8 << self._bits))
        for key, posting in filed.all_postings(self._connection):
            if posting > 0:
                mark = marks[posting]
            else:
                mark = ~marks[-posting]
                hinted = hinted * FACTOR + key & MASK
            found[key >> shift] = (found[key >> shift] * FACTOR + key) * FACTOR + mark & MASK
        for shard, mark in enumerate(found):
            yield self._shard_path(shard), mark or 1
        yield f"{_FOLDER}hints.json", hinted or 1
        for pattern in sorted(self._apart):
            yield f"{_FOLDER}r/{pattern}.json", marks[pattern] or 1
        for place, patterns in enumerate(self._loose.files):
            mark = 0
            for row in patterns:
                mark = mark * FACTOR + marks[row.number] & MASK
            yield f"{_FOLDER}s/{place}.json", mark or 1
        for shard in range(1 << self._word_bits):
            yield self._words_path(shard), version

    @cached_property
    def version(self) -> str:
        """12 hex digits that change with anything in the index."""
        return filed.version(self._connection, self._marks, str(_FORM))

    @cached_property
    def _marks(self) -> array[int]:
        return filed.marks(self._connection)

    def _shard_path(self, number: int) -> str:
        return f"{_FOLDER}k/{number:0{(self._bits + 3) // 4}x}.json"

    def _words_path(self, number: int) -> str:
        return f"{_FOLDER}w/{number:0{(self._word_bits + 3) // 4}x}.json"

    @cached_property
    def _word_bits(self) -> int:
        """Bits of a word's hash that name its file."""
        return max(2, self._bits - 4)

    def _words(self, number: int) -> dict[str, list[int]]:
        """`{word: [pattern, its shard, …]}`, the shard less than zero where it is in none: -1 for
        the root, -2 and less for the files of patterns without key."""
        version = self.version
        if self._worded != version:
            worded.fill(self._connection, self._word_bits)
            self._worded = version
        found = worded.patterns_of_words(self._connection, number, _MOST_OF_A_WORD)
        size, homes, apart = 32 - self._bits, self._homes, self._loose_homes
        return {
            word: [
                value
                for pattern in patterns
                for value in (
                    pattern,
                    homes[pattern] >> size if homes[pattern] else -2 - apart.get(pattern, -1),
                )
            ]
            for word, patterns in found
        }

    @cached_property
    def _without_boundary(self) -> list[FiledPattern]:
        return list(filed.without_boundary(self._connection))

    @cached_property
    def _loose(self) -> Loose:
        return loose.part(self._without_boundary)

    @cached_property
    def _loose_homes(self) -> dict[int, int]:
        return self._loose.homes()

    @cached_property
    def _homes(self) -> array[int]:
        return filed.homes(self._connection)

    @cached_property
    def _apart(self) -> frozenset[int]:
        """Patterns whose records have a file of their own."""
        without = {pattern.number for pattern in self._without_boundary}
        return frozenset(without.union(filed.shared(self._connection, _MOST_INLINE)))

    @cached_property
    def _bits(self) -> int:
        """Bits of a key that name its shard."""
        return max(4, (len(self._homes) * 3 // _POSTINGS_A_SHARD).bit_length())

    def _root(self) -> dict[str, object]:
        keys = filed.exact_keys(self._connection)
        size = _EXACT_BITS if len(keys) < _MANY_KEYS else _BITS_OF_MANY
        return {
            "form": _FORM,
            "version": self.version,
            "hints": filed.count_hint_keys(self._connection),
            "bits": self._bits,
            "wordBits": self._word_bits,
            "exact": filters.build(keys, size)._asdict(),
            "looseBits": self._loose.bits,
            "loose": loose.steps([0, *self._loose.marks]),
            **loose.columns(self._loose.in_root),
        }

    def _shard(self, number: int) -> list[object]:
        """`[[key, [exact numbers], [hints: number, shard, …]], …]` and the exact patterns."""
        size = 32 - self._bits
        start, end = number << size, number + 1 << size
        keys: dict[int, tuple[list[int], list[int]]] = {}
        for key, posting in filed.postings(self._connection, start, end):
            exact, hints = keys.setdefault(key, ([], []))
            if posting > 0:
                exact.append(posting)
            else:
                hints += (-posting, self._homes[-posting] >> size)
        patterns = list(filed.exact_patterns(self._connection, start, end))
        inline = [pattern.number for pattern in patterns if pattern.number not in self._apart]
        records = filed.records_of(self._connection, inline)
        return [
            [[key, exact, hints] for key, (exact, hints) in keys.items()],
            [_pattern(pattern, records.get(pattern.number)) for pattern in patterns],
        ]


def _pattern(pattern: FiledPattern, records: list[list[object]] | None) -> list[object]:
    """`[number, kind, bits, source, stand-in, records]`. The source is 0 or 1 where
    the first record's message tells it, with all signs escaped or only those that have a
    meaning; the records are 0 where they stand apart."""
    source: object = pattern.source
    if records:
        message = str(records[0][5])
        if template_pattern(message) == pattern.source:
            source = 0
        elif _plain_template_pattern(message) == pattern.source:
            source = 1
    return [
        pattern.number,
        pattern.kind,
        pattern.bits,
        source,
        pattern.stand_in or 0,
        records if records is not None else 0,
    ]


def _plain_template_pattern(message: str) -> str:
    """As `template_pattern`, with nothing escaped but what has a meaning."""
    parts = _PLACEHOLDER.split(message)
    return "".join("(.+?)" if i % 2 else _SIGNS.sub(r"\\\g<0>", p) for i, p in enumerate(parts))


def _written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode()


assert SHORT_BASE == 1 << 32  # noqa: S101 # shards are ranges of 32-bit keys
