"""Files patterns: chooses the keys of their literals that each is found under.

`pattern_keys (key, posting)`: a posting is the number of a pattern where the key is its
*exact* key, without which it cannot match, and less than zero, minus the number, where
the key is a *hint*: another rare window of it, by which texts that hold only a part of
the pattern are found.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain
from zlib import crc32

from errdex.match.information import bits
from errdex.match.keys import SHORT_BASE, SIZES, both_boundary_keys, folded, short_windows
from errdex.match.spill import Spill
from errdex.patterns import Pattern, analyze, stand_in_for

HINTS = 4
"""Hints a pattern, each from its share of the literals, so that what is cut off or has
changed between versions leaves some of them in the text."""

MOST_SHARING = 16
"""Patterns that may well share an exact key. Shared keys are far fewer, and so the
filter that the browser fetches is small; they cost a text nine needless candidates."""

BUSIEST_HINT = 200
"""Patterns that may hold a window that is used as a hint: a common one finds too much."""

_SHARE_SHIFT = 26
_SHARES = SHORT_BASE >> _SHARE_SHIFT
"""Postings are sorted in so many shares, which bounds the memory of a million patterns."""
_SHARE_IN_MEMORY = 1 << 14

_POSTING_BASE = 1 << 31
"""What makes a number that sorts as it should of a posting below zero."""

_SKETCH_MASK = (1 << 20) - 1
_KNOWN_MASK = (1 << 24) - 1
_MOST_WINDOWS = 0xFFFF
_LEAD_CHARACTERS = 8
_NO_LEAD = 0


class IndexWriter:
    """Files patterns within the caller's transaction; call `finish` before it ends.

    Keys are chosen in `finish`, when it is known how many of the new patterns share
    each window. Until then most of what is known of a pattern is in a file.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        row = connection.execute("SELECT coalesce(max(pattern), 0) FROM patterns").fetchone()
        self._last: int = row[0]
        self._came = None if self._last else bytearray((_KNOWN_MASK >> 3) + 1)
        self._held = Spill("I")
        self._short: list[tuple[int, list[int]]] = []
        self._sketch = array("I", bytes(4 * (_SKETCH_MASK + 1)))

    def add(self, sources: Sequence[str], messages: Sequence[str] = ()) -> dict[str, int]:
        """File these patterns where they are new; the number of each.

        `messages` are the templates beside them, for the patterns that RE2 refuses.
        """
        templates = dict(zip(sources, messages, strict=False))
        digests = {source: pattern_digest(source) for source in dict.fromkeys(sources)}
        known = self._known(digests.values())
        rows = []
        for source, digest in digests.items():
            if digest in known:
                continue
            self._last += 1
            template = templates.get(source, "")
            pattern = analyze(source, template)
            weight = sum(map(bits, pattern.literals))
            stand_in = stand_in_for(pattern, template)
            rows.append((self._last, digest, source, pattern.kind, weight, stand_in))
            if pattern.kind != "U":
                self._hold_back(pattern)
            known[digest] = self._last
        self._connection.executemany(
            "INSERT INTO patterns (pattern, digest, source, kind, bits, stand_in)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            rows,
        )
        return {source: known[digest] for source, digest in digests.items()}

    def _known(self, digests: Iterable[int]) -> dict[int, int]:
        """The numbers of those that are filed already."""
        if self._came is not None:
            digests = [digest for digest in digests if self._may_have_come(digest, self._came)]
        rows = self._connection.execute(
            "SELECT digest, pattern FROM patterns WHERE digest IN (SELECT value FROM json_each(?))",
            (json.dumps(list(digests)),),
        )
        return dict(rows.fetchall())

    def _may_have_come(self, digest: int, marks: bytearray) -> bool:
        """False for most of those that no pattern of an index from nothing had; marks it."""
        at = digest & _KNOWN_MASK
        byte, bit = at >> 3, 1 << (at & 7)
        marked = marks[byte]
        marks[byte] = marked | bit
        return bool(marked & bit)

    def _hold_back(self, pattern: Pattern) -> None:
        """Keep the pattern's windows for `finish`."""
        texts = [folded(literal) for literal in pattern.literals]
        short, long = both_boundary_keys(texts)
        sketch = self._sketch
        if short:
            lead = _lead_key(pattern.pieces[0]) if pattern.pieces else _NO_LEAD
            if lead != _NO_LEAD:
                sketch[lead & _SKETCH_MASK] += 1
            del short[_MOST_WINDOWS:], long[_MOST_WINDOWS:]
            self._held.add([self._last, lead, len(short), len(long), *short, *long])
            self._held.settle()
            for key in {*short, *long}:
                sketch[key & _SKETCH_MASK] += 1
        else:
            tiny = {key for text in texts for key in short_windows(text)}
            if tiny:
                self._short.append((self._last, sorted(tiny)))

    def finish(self) -> None:
        """Choose the keys of all patterns added, and write them in the order of the table."""
        shares = [Spill("Q", _SHARE_IN_MEMORY) for _ in range(_SHARES)]
        for held in self._held.parts():
            some: list[list[int]] = [[] for _ in shares]
            for key, posting in self._postings(held):
                some[key >> _SHARE_SHIFT].append(key << 32 | posting + _POSTING_BASE)
            for share, numbers in zip(shares, some, strict=True):
                share.add(numbers)
                share.settle()
        for share in shares:
            both = sorted(chain.from_iterable(share.parts()))
            self._write((number >> 32, (number & 0xFFFFFFFF) - _POSTING_BASE) for number in both)
        self._write(sorted(self._short_postings()))

    def _write(self, postings: Iterable[tuple[int, int]]) -> None:
        self._connection.executemany(
            "INSERT OR IGNORE INTO pattern_keys (key, posting) VALUES (?, ?)", postings
        )

    def _postings(self, held: array[int]) -> Iterator[tuple[int, int]]:
        """(key, posting) of the patterns whose windows these are."""
        load_of, at = self._sketch.__getitem__, 0
        while at < len(held):
            number, lead, short, long = held[at : at + 4]
            at += 4 + short + long
            windows = held[at - short - long : at]
            loads = list(map(load_of, map(_SKETCH_MASK.__and__, windows)))
            shared = max([load for load in loads if load <= MOST_SHARING] or [min(loads)])
            best = loads.index(shared)
            yield windows[best], number
            end = 0
            for share in range(1, HINTS + 1):
                start, end = end, short * share // HINTS
                if start == end:
                    continue
                place = _rarest(loads, start, end)
                if loads[place] > BUSIEST_HINT:  # a longer window is not held by so many
                    first = short + long * (share - 1) // HINTS
                    last = short + long * share // HINTS
                    place = _rarest(loads, first, last) if first < last else place
                if loads[place] <= BUSIEST_HINT and place != best:
                    yield windows[place], -number
            if lead != _NO_LEAD and load_of(lead & _SKETCH_MASK) <= BUSIEST_HINT:
                yield lead, -number

    def _short_postings(self) -> Iterator[tuple[int, int]]:
        """(key, posting) of the patterns that have no boundary window."""
        loads: dict[int, int] = {}
        for _, keys in self._short:
            for key in keys:
                loads[key] = loads.get(key, 0) + 1
        for number, keys in self._short:
            yield SHORT_BASE + min(keys, key=lambda key: loads[key]), number


def _rarest(loads: list[int], start: int, end: int) -> int:
    """The place of the least of some numbers."""
    return loads.index(min(loads[start:end]), start, end)


def _lead_key(literal: str) -> int:
    """The key of a message's first word with a blank before it, as texts mostly have it.

    It is a hint only: a text may have anything before a message.
    """
    window = folded(" " + literal[:_LEAD_CHARACTERS])[: SIZES[0]]
    return crc32(window) if len(window) == SIZES[0] and literal[0].isalnum() else _NO_LEAD


def pattern_digest(source: str) -> int:
    """63 bits that stand for the source where patterns are compared."""
    digest = blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
