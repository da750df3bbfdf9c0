"""The keys of all patterns that could be an answer, held in memory."""

from __future__ import annotations

import sqlite3

from errdex.bulk.lines import ACTIVE, Lines, Narrowed
from errdex.database.filing import exact_keys, unfiled_patterns
from errdex.events import is_plain
from errdex.match.keys import SHORT_BASE, distinct_boundary_keys, short_windows
from errdex.match.rank import ENOUGH_WITH_EVIDENCE


class Filed:
    """Patterns by key; those that say too little to be an answer are left out."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.rows = exact_keys(connection, ENOUGH_WITH_EVIDENCE)
        """(key, pattern), by key."""
        self.unfiled = frozenset(unfiled_patterns(connection, ENOUGH_WITH_EVIDENCE))
        """Patterns that every text is tried on; hardly ever any."""
        self._by_key: dict[int, list[int]] = {}
        for key, number in self.rows:
            self._by_key.setdefault(key, []).append(number)
        self._short = frozenset(key - SHORT_BASE for key in self._by_key if key >= SHORT_BASE)

    def patterns(self, folded: bytes) -> set[int]:
        """The patterns whose key is in the text (bytes in ASCII lower case)."""
        found = set(self.unfiled)
        for key in distinct_boundary_keys(folded) & self._by_key.keys():
            found.update(self._by_key[key])
        for short in short_windows(folded) & self._short:
            found.update(self._by_key[SHORT_BASE + short])
        return found

    def narrow(self, lines: Lines) -> Narrowed:
        """What there is to look at in these lines; the same as with numpy, line by line."""
        hits: dict[int, set[int]] = {}
        active, uncertain = [], []
        for number in range(len(lines)):
            if found := self.patterns(lines.folded_line(number)):
                hits[number] = found
            if ACTIVE.search(lines.raw(number)):
                active.append(number)
            if not is_plain(lines.text(number)):
                uncertain.append(number)
        return Narrowed(hits, active, uncertain)
