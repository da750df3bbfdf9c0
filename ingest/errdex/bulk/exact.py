"""The engine, for an event of which it is known which patterns may be in it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from errdex.bulk.filed import Filed
from errdex.database.filing import pattern_sources, signs_of_pattern
from errdex.events import body
from errdex.match.answers import Answer, Match
from errdex.match.engine import Matcher
from errdex.match.finding import Finding, find_exact
from errdex.match.keys import folded
from errdex.match.rank import ENOUGH_LITERAL_BITS
from errdex.match.rows import PatternRow, read_patterns
from errdex.match.views import View

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CONTROL = re.compile(r"\\[a-z]")
_MODULES = re.compile(r"[.$:]+")


class Asked(NamedTuple):
    """Which records are wanted of a log."""

    limit: int = 5
    repo: str | None = None
    tags: tuple[str, ...] = ()
    min_score: float = 0.0


class ExactMatcher(Matcher):
    """Answers with whole messages only, found among the patterns that are filed in memory."""

    def __init__(self, connection: sqlite3.Connection, filed: Filed, asked: Asked) -> None:
        super().__init__(connection)
        self._filed = filed
        self._asked = asked
        self._among: Collection[int] | None = None
        self._rows: dict[int, PatternRow] = {}
        self._literals: dict[int, str] = {}
        self._signs: dict[int, frozenset[str]] = {}

    def answer(self, text: str, among: Collection[int] | None = None) -> Answer | None:
        """What may be presented as an answer for an event; None if nothing may.

        `among`: the only patterns that any view of it may match; None to look for them.
        """
        self._among = among
        limit, repo, tags, min_score = self._asked
        found = self.match(text, limit=limit, repo=repo, tags=tags)
        claimed = [match for match in found.claimed if match.score >= min_score]
        return found._replace(matches=claimed) if claimed else None

    def may_claim(self, line: str, numbers: Collection[int]) -> list[int]:
        """Those of the patterns of which this plain line may be presented as the message."""
        return [
            number
            for number, row in self.patterns(self._likely(line, numbers)).items()
            if row.probe in line
            and (row.bits >= ENOUGH_LITERAL_BITS or self._may_agree(line, number, row))
        ]

    def _likely(self, line: str, numbers: Collection[int]) -> list[int]:
        """Those of the patterns of which the line holds a long literal."""
        self.learn(numbers)
        return [number for number in numbers if self._literals[number] in line]

    def learn(self, numbers: Collection[int]) -> None:
        """Read the literals of the patterns that are not known yet, all at once."""
        missing = [number for number in numbers if number not in self._literals]
        for number, source, kind in pattern_sources(self._connection, missing) if missing else ():
            self._literals[number] = _long_literal(source) if kind == "W" else ""

    def patterns(self, numbers: Collection[int]) -> dict[int, PatternRow]:
        """The patterns, each read once: a log meets the same ones again and again."""
        missing = [number for number in numbers if number not in self._rows]
        if missing:
            self._rows.update(read_patterns(self._connection, missing))
        return {number: self._rows[number] for number in numbers}

    def _pattern_rows(self, numbers: Collection[int]) -> dict[int, PatternRow]:
        return self.patterns(numbers)

    def _may_agree(self, line: str, number: int, row: PatternRow) -> bool:
        """Whether more may speak for the pattern's records than the words of the message."""
        return any(sign in line for sign in self._signs_of(number)) or _may_be_whole(
            row.pattern.pieces, line
        )

    def _signs_of(self, number: int) -> frozenset[str]:
        """What may speak for the pattern's records: classes, codes and files, without the
        modules and folders that they are in."""
        signs = self._signs.get(number)
        if signs is None:
            found = signs_of_pattern(self._connection, number)
            named = {_MODULES.split(name)[-1] for name, _, _ in found if name}
            coded = {code for _, code, _ in found if code}
            signs = frozenset(named | coded | {path.rpartition("/")[2] for _, _, path in found})
            self._signs[number] = signs
        return signs

    def _findings(self, views: list[View]) -> list[Finding]:
        among = self._among
        if among is None:
            among = set().union(*(self._filed.patterns(folded(view.text)) for view in views))
        findings = find_exact(self._pattern_rows(among), views)
        findings.sort(key=lambda finding: (-finding.literal_bits, finding.number))
        return findings

    def _guesses(self, *_: object) -> list[Match]:
        return []


def _may_be_whole(pieces: tuple[str, ...], line: str) -> bool:
    if not pieces:
        return True
    return line.rstrip().endswith(pieces[-1].rstrip()) and body(line).lstrip().startswith(
        pieces[0].lstrip()
    )


def _long_literal(source: str) -> str:
    """A literal that every match of a wildcard pattern holds, found without analysing it."""
    part = max(source.split("(.+?)"), key=len)
    if "(" in _ESCAPED.sub("", part) or _CONTROL.search(part):
        return ""
    return _ESCAPED.sub(r"\1", part)
