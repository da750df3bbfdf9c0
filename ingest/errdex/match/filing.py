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

from errdex.match.information import bits
from errdex.match.keys import SHORT_BASE, SIZES, boundary_keys, folded, short_windows
from errdex.patterns import Pattern, analyze, stand_in_for

HINTS = 4
"""Hints a pattern, each from its share of the literals, so that what is cut off or has
changed between versions leaves some of them in the text."""

MOST_SHARING = 16
"""Patterns that may well share an exact key. Shared keys are far fewer, and so the
filter that the browser fetches is small; they cost a text nine needless candidates."""

BUSIEST_HINT = 200
"""Patterns that may hold a window that is used as a hint: a common one finds too much."""

_SHARE_SHIFT = 28
_SHARES = SHORT_BASE >> _SHARE_SHIFT
"""Postings are sorted in so many shares, which bounds the memory of a million patterns."""

_POSTING_BASE = 1 << 31
"""What makes a number that sorts as it should of a posting below zero."""

_SKETCH_MASK = (1 << 20) - 1
_MOST_WINDOWS = 0xFFFF
_LEAD_CHARACTERS = 8


class IndexWriter:
    """Files patterns within the caller's transaction; call `finish` before it ends.

    Keys are chosen in `finish`, when it is known how many of the new patterns share
    each window. Until then a pattern costs about 40 bytes of memory.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        row = connection.execute("SELECT coalesce(max(pattern), 0) FROM patterns").fetchone()
        self._last: int = row[0]
        self._numbers = array("Q")
        self._lengths = array("H")
        self._longer = array("H")
        self._windows = array("I")
        self._leads = array("I")
        self._short: list[tuple[int, list[int]]] = []
        self._sketch = array("I", bytes(4 * (_SKETCH_MASK + 1)))

    def add(self, sources: Sequence[str], messages: Sequence[str] = ()) -> dict[str, int]:
        """File these patterns where they are new; the number of each.

        `messages` are the templates beside them, for the patterns that RE2 refuses.
        """
        templates = dict(zip(sources, messages, strict=False))
        digests = {source: pattern_digest(source) for source in dict.fromkeys(sources)}
        known = self._known(digests.values())
        fresh = [source for source, digest in digests.items() if digest not in known]
        rows = []
        for source in fresh:
            self._last += 1
            pattern = analyze(source, templates.get(source, ""))
            stand_in = stand_in_for(pattern, templates.get(source, ""))
            weight = sum(map(bits, pattern.literals))
            rows.append((self._last, digests[source], source, pattern.kind, weight, stand_in))
            if pattern.kind != "U":
                self._hold_back(pattern)
            known[digests[source]] = self._last
        self._connection.executemany(
            "INSERT INTO patterns (pattern, digest, source, kind, bits, stand_in)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            rows,
        )
        return {source: known[digest] for source, digest in digests.items()}

    def _known(self, digests: Iterable[int]) -> dict[int, int]:
        rows = self._connection.execute(
            "SELECT digest, pattern FROM patterns WHERE digest IN (SELECT value FROM json_each(?))",
            (json.dumps(list(digests)),),
        )
        return dict(rows.fetchall())

    def _hold_back(self, pattern: Pattern) -> None:
        """Keep the pattern's windows for `finish`."""
        texts = [folded(literal) for literal in pattern.literals]
        short, long = ([key for text in texts for key in boundary_keys(text, n)] for n in SIZES)
        if short:
            if pattern.pieces and (lead := _lead_key(pattern.pieces[0])) is not None:
                self._leads.extend((self._last, lead))
                self._sketch[lead & _SKETCH_MASK] += 1
            del short[_MOST_WINDOWS:], long[_MOST_WINDOWS:]
            self._numbers.append(self._last)
            self._lengths.append(len(short))
            self._longer.append(len(long))
            self._windows.extend(short + long)
            for key in {*short, *long}:
                self._sketch[key & _SKETCH_MASK] += 1
        else:
            tiny = {key for text in texts for key in short_windows(text)}
            if tiny:
                self._short.append((self._last, sorted(tiny)))

    def finish(self) -> None:
        """Choose the keys of all patterns added, and write them in the order of the table."""
        shares = [array("Q") for _ in range(_SHARES + 1)]
        for key, posting in self._postings():
            both = (key & 0xFFFFFFFF) << 32 | posting + _POSTING_BASE
            shares[min(key >> _SHARE_SHIFT, _SHARES)].append(both)
        for number, share in enumerate(shares):
            base = SHORT_BASE if number == _SHARES else 0
            self._connection.executemany(
                "INSERT OR IGNORE INTO pattern_keys (key, posting) VALUES (?, ?)",
                (
                    (base + (both >> 32), (both & 0xFFFFFFFF) - _POSTING_BASE)
                    for both in sorted(share)
                ),
            )

    def _postings(self) -> Iterator[tuple[int, int]]:
        at = 0
        for number, short, long in zip(self._numbers, self._lengths, self._longer, strict=True):
            windows = self._windows[at : at + short + long]
            at += short + long
            loads = [self._sketch[key & _SKETCH_MASK] for key in windows]
            shared = max((load for load in loads if load <= MOST_SHARING), default=min(loads))
            best = loads.index(shared)
            yield windows[best], number
            for share in range(HINTS):
                start, end = short * share // HINTS, short * (share + 1) // HINTS
                if start == end:
                    continue
                least = min(loads[start:end])
                place = loads.index(least, start, end)
                if least <= BUSIEST_HINT and place != best:
                    yield windows[place], -number
        for number, lead in zip(self._leads[::2], self._leads[1::2], strict=True):
            if self._sketch[lead & _SKETCH_MASK] <= BUSIEST_HINT:
                yield lead, -number
        loads_of_short: dict[int, int] = {}
        for _, keys in self._short:
            for key in keys:
                loads_of_short[key] = loads_of_short.get(key, 0) + 1
        for number, keys in self._short:
            yield SHORT_BASE + min(keys, key=lambda key: loads_of_short[key]), number


def _lead_key(literal: str) -> int | None:
    """The key of a message's first word with a blank before it, as texts mostly have it.

    It is a hint only: a text may have anything before a message.
    """
    keys = boundary_keys(folded(" " + literal[:_LEAD_CHARACTERS]), SIZES[0])
    return keys[0] if keys and literal[:1].isalnum() else None


def pattern_digest(source: str) -> int:
    """63 bits that stand for the source where patterns are compared."""
    digest = blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
