"""One block of a log: the errors that are in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from errdex.bulk.exact import Asked, ExactMatcher
from errdex.bulk.filed import Filed
from errdex.bulk.lines import Lines
from errdex.match.answers import Answer

if TYPE_CHECKING:
    from errdex.bulk.narrow import Narrower

SHOWN = 64_000
"""Characters of an event that are kept."""


class Tally(msgspec.Struct):
    """One distinct error: where it was seen, and how often."""

    text: str
    answer: Answer
    first: int
    """Number of the line where it begins first; of a block's lines, from 0."""
    last: int
    count: int = 1


Tallies = dict[tuple[str, ...], Tally]
"""By the ids of the records that fit best."""


class Reader:
    """Reads blocks; each process and thread needs its own."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        filed: Filed,
        asked: Asked,
        narrower: Narrower | None = None,
    ) -> None:
        self._matcher = ExactMatcher(connection, filed, asked)
        self._narrow = filed.narrow
        if narrower is not None:
            narrower.patterns = self._matcher.patterns
            self._narrow = narrower.narrow

    def read(self, block: bytes) -> tuple[Tallies, int]:
        """The errors of a block, which begins and ends with an event, and its lines' number."""
        lines = Lines(block)
        tallies: Tallies = {}
        with self._matcher.one_state():
            for number, text, answer in self._errors(lines):
                add(tallies, Tally(text[:SHOWN], answer, number, number))
        return tallies, len(lines)

    def _errors(self, lines: Lines) -> Iterator[tuple[int, str, Answer]]:
        """First line, text and answer of each event that has one, not in their order."""
        hits, active, uncertain = self._narrow(lines)
        for first, end, text in lines.events_of_several(uncertain):
            for number in range(first, end):
                hits.pop(number, None)
            active = [number for number in active if not first <= number < end]
            if answer := self._matcher.answer(text):
                yield first, text, answer
        for number in active:
            hits.pop(number, None)
            text = lines.text(number)
            if text.strip() and (answer := self._matcher.answer(text)):
                yield number, text, answer
        self._matcher.learn(set().union(*hits.values()))
        for number, patterns in hits.items():
            text = lines.text(number)
            among = self._matcher.may_claim(text, patterns)
            if among and (answer := self._matcher.answer(text, among)):
                yield number, text, answer


def add(tallies: Tallies, seen: Tally) -> None:
    """Put a tally to those of the same error."""
    matches = seen.answer.matches
    best = tuple(match.id for match in matches if match.group == matches[0].group)
    known = tallies.get(best)
    if known is None:
        tallies[best] = seen
        return
    if seen.first < known.first:
        known.text, known.answer, known.first = seen.text, seen.answer, seen.first
    known.last = max(known.last, seen.last)
    known.count += seen.count
