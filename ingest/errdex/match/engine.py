"""The one way from a text to its records, for every caller.

Text → views → candidates → verification → ranking; each step is a module of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from heapq import nlargest
from typing import NamedTuple

from errdex.late import expression
from errdex.match.answers import Answer, Match, Span
from errdex.match.evidence import Place, Scene
from errdex.match.finding import (
    ENOUGH_TO_EXPLAIN,
    Finding,
    explain_all,
    explained_keys,
    find_exact,
    find_partial,
)
from errdex.match.index import (
    MOST_PROMISING,
    MOST_PROMISING_BESIDE,
    exact_candidates,
    promising_candidates,
    short_keys,
    unfiled,
)
from errdex.match.information import COMMON_WORDS
from errdex.match.keys import SHORT_BASE, keys_of
from errdex.match.rank import (
    ENOUGH_WITH_EVIDENCE,
    MOST_EVIDENCE,
    Verdict,
    is_answer,
    judge,
    reasons,
)
from errdex.match.rows import PatternRow, RecordRow, guess_records, read_patterns, read_records
from errdex.match.secrets import mask_texts, secret_texts
from errdex.match.values import captured, group_names
from errdex.match.views import View, views_for_parts, views_of

LONGEST_TEXT = 1_000_000
"""Characters of a text that are read; the rest of it is left out."""
MOST_LINES = 40_000
"""Lines of a text that are read: each costs some ten microseconds, however short it is."""

_MOST_PATTERNS = 24_000
"""Patterns that are kept in memory; each takes some 700 bytes."""
_MOST_ROWS = 8_000
"""What ranking needs of so many records is kept; about as much each."""
_MOST_RECORDS = 400
"""Records of one pattern that are weighed; more share it only where it says little."""
_GUESS_WORDS = 8
_WORD = expression(r"[A-Za-z_][A-Za-z0-9_]{3,40}")


class Ranked(NamedTuple):
    """A record with its evidence."""

    finding: Finding
    place: Place
    row: RecordRow
    verdict: Verdict
    claimed: bool


class Matcher:
    """Matches texts against the records of one open database.

    Holds the connection and a bounded cache of patterns; threads may share it only if
    they take turns. Matchers of one file, each with a connection of its own, may share
    `patterns`, an empty dictionary at first, and need not take turns for that.
    """

    def __init__(
        self, connection: sqlite3.Connection, patterns: dict[int, PatternRow] | None = None
    ) -> None:
        self._connection = connection
        self._patterns = {} if patterns is None else patterns
        self._records: dict[tuple[int, int], list[RecordRow]] = {}
        self._kept_rows = 0
        self._unfiled: list[int] = []
        self._short_keys: frozenset[int] = frozenset()
        self._version = -1

    def match(
        self,
        text: str,
        *,
        limit: int = 10,
        repo: str | None = None,
        tags: Collection[str] = (),
    ) -> Answer:
        """The records that `text` holds the message of, best first, at most `limit`.

        Reads at most LONGEST_TEXT characters and MOST_LINES lines. Nothing of the text is kept.
        """
        text = _bounded(text)
        views = views_of(text)
        secrets = secret_texts(view.text for view in views)
        with self.one_state():
            ranked = self._ranked(self._findings(views), text, limit, repo, tags)
            matches = _matches(text, ranked, limit, secrets)
            if not any(match.claimed for match in matches) and len(matches) < limit and not tags:
                matches += self._guesses(text, matches, limit, repo)
        return Answer(matches=matches, secret=bool(secrets))

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """One state of the database for everything that is read, whatever is imported
        meanwhile; and each statement then costs 10 microseconds less. The caller's own
        transaction, if there is one, is such a state already."""
        if self._connection.in_transaction:
            self._refresh()
            yield
            return
        self._connection.execute("BEGIN")
        try:
            self._refresh()
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def _refresh(self) -> None:
        """Forget what was cached if the database has changed."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            if not self._patterns_hold():
                self._patterns.clear()
            self._forget_records()
            self._unfiled = unfiled(self._connection)
            self._short_keys = short_keys(self._connection)
            self._version = version
        if len(self._patterns) > _MOST_PATTERNS:
            for number in list(self._patterns)[: _MOST_PATTERNS // 4]:
                self._patterns.pop(number, None)
        if self._kept_rows > _MOST_ROWS:
            self._forget_records()

    def _forget_records(self) -> None:
        self._records.clear()
        self._kept_rows = 0

    def _patterns_hold(self) -> bool:
        """Whether what is cached of patterns is still so. An import changes and removes none;
        but where an older state was put back, the newest may be another now."""
        newest = max(list(self._patterns), default=0)
        known = self._patterns.get(newest)
        found = read_patterns(self._connection, [newest]).get(newest)
        return bool(known and found and known.pattern.source == found.pattern.source)

    def _pattern_rows(self, numbers: set[int]) -> dict[int, PatternRow]:
        patterns = self._patterns
        try:
            return {number: patterns[number] for number in numbers}
        except KeyError:
            known = ((number, patterns.get(number)) for number in numbers)
            rows = {number: row for number, row in known if row is not None}
        missing = read_patterns(self._connection, numbers - rows.keys())
        patterns.update(missing)
        return rows | missing

    def _record_rows(
        self, pattern: int, most: int, repo: str | None, tags: Collection[str]
    ) -> list[RecordRow]:
        if repo or tags:
            return read_records(self._connection, pattern, most, repo, tags)
        rows = self._records.get((pattern, most))
        if rows is None:
            rows = read_records(self._connection, pattern, most)
            self._records[pattern, most] = rows
            self._kept_rows += len(rows) + 1
        return rows

    def _findings(self, views: list[View]) -> list[Finding]:
        keys, short = keys_of([view.text for view in views])
        filed_short = [SHORT_BASE + window for window in short & self._short_keys]
        filed = exact_candidates(self._connection, [*keys, *filed_short])
        findings = find_exact(self._pattern_rows(filed.union(self._unfiled)), views)
        if not explain_all(findings, views):
            findings += self._parts(keys - explained_keys(findings), findings, views)
        findings.sort(key=lambda finding: (-finding.literal_bits, finding.number))
        return findings

    def _parts(self, keys: set[int], exact: list[Finding], views: list[View]) -> list[Finding]:
        """Patterns of which a part is where no whole message is: `keys` are of what is left."""
        found = {finding.number for finding in exact}
        answered = any(finding.literal_bits >= ENOUGH_TO_EXPLAIN for finding in exact)
        most = MOST_PROMISING_BESIDE if answered else MOST_PROMISING
        promising = promising_candidates(self._connection, keys, found)[:most]
        rows = self._pattern_rows(set(promising))
        return find_partial(rows, views_for_parts(views), thorough=not answered)

    def _ranked(
        self,
        findings: list[Finding],
        text: str,
        limit: int,
        repo: str | None,
        tags: Collection[str],
    ) -> list[Ranked]:
        """Records by evidence. A finding is passed over when it says too little to come
        among the first `limit`, whatever its records' evidence; and beside an answer,
        when it says too little to be one."""
        scenes: dict[View, Scene] = {}
        ranked: list[Ranked] = []
        bound, answered = 0.0, False
        for finding in findings:
            if len(ranked) >= limit and finding.literal_bits + MOST_EVIDENCE < bound:
                break
            if answered and finding.literal_bits < ENOUGH_WITH_EVIDENCE:
                break
            most = _MOST_RECORDS if finding.literal_bits >= ENOUGH_WITH_EVIDENCE else limit
            scene = scenes.get(finding.view)
            if scene is None:
                scene = scenes[finding.view] = Scene(finding.view.text, text)
            place = scene.place(finding.occurrence.start, finding.occurrence.end)
            judged: dict[tuple[str | None, ...], tuple[Verdict, bool]] = {}
            for row in self._record_rows(finding.number, most, repo, tags):
                # Where no frames do, only this tells the records of a pattern apart.
                top = row.file_path.partition("/")[0]
                signs = (row.error_class, row.error_code, row.retired_at, row.repo, top)
                known = None if scene.frames or scene.logged else judged.get(signs)
                if known is None:
                    verdict = judge(row, scene, place, finding.literal_bits)
                    known = judged[signs] = verdict, is_answer(verdict, finding, place)
                    answered = answered or known[1]
                ranked.append(Ranked(finding, place, row, *known))
            if len(ranked) >= limit:
                bound = nlargest(limit, (one.verdict.bits for one in ranked))[-1]
        ranked.sort(key=lambda one: (*_standing(one), one.row.id))
        return ranked

    def _guesses(
        self, text: str, matches: list[Match], limit: int, repo: str | None
    ) -> list[Match]:
        words = dict.fromkeys(word.lower() for word in _WORD.findall(text[:20_000]))
        rare = sorted((w for w in words if w not in COMMON_WORDS), key=lambda w: -len(w))
        rows = guess_records(self._connection, rare[:_GUESS_WORDS], limit - len(matches), repo)
        seen = {match.id for match in matches}
        return [_guess(row, len(matches)) for row in rows if row.id not in seen]


def _bounded(text: str) -> str:
    """The part of a text that is read."""
    text = text[:LONGEST_TEXT]
    if len(text) <= MOST_LINES:
        return text
    lines = text.split("\n", MOST_LINES)
    return text[: -1 - len(lines[-1])] if len(lines) > MOST_LINES else text


def _standing(one: Ranked) -> tuple[bool, float, bool]:
    """What ranks before what; equal for equal answers. Where the evidence is the same, as
    literals count up to a limit only, a whole message stands before a part of another."""
    return not one.claimed, -round(one.verdict.bits, 6), one.finding.tier != "exact"


def _match(text: str, one: Ranked, group: int, secrets: Sequence[str]) -> Match:
    finding, row, verdict, view = one.finding, one.row, one.verdict, one.finding.view
    names = group_names(finding.pattern, row.error_message)
    values = captured(view, finding.occurrence, names)
    told = reasons(verdict, row, one.place, finding.said)
    if secrets:
        values = {name: mask_texts(value, secrets) for name, value in values.items()}
        told = [mask_texts(reason, secrets) for reason in told]
    spans = [
        Span(*view.raw_span(start, end)) for start, end in finding.literal_spans() if end > start
    ]
    first = min((span.start for span in spans), default=view.raw(finding.occurrence.start))
    return Match(
        id=row.id,
        repo=row.repo,
        slug=row.slug,
        error_class=row.error_class,
        error_code=row.error_code,
        error_message=row.error_message,
        severity=row.severity,
        tier=finding.tier,
        score=verdict.score,
        claimed=one.claimed,
        group=group,
        coverage=round(finding.coverage, 4),
        values=values,
        reasons=told,
        spans=spans,
        line=text.count("\n", 0, first) + 1,
    )


def _guess(row: RecordRow, group: int) -> Match:
    return Match(
        id=row.id,
        repo=row.repo,
        slug=row.slug,
        error_class=row.error_class,
        error_code=row.error_code,
        error_message=row.error_message,
        severity=row.severity,
        tier="text",
        score=0.0,
        claimed=False,
        group=group,
        coverage=0.0,
        values={},
        reasons=["its text has words of yours"],
        spans=[],
        line=1,
    )


def _matches(text: str, ranked: list[Ranked], limit: int, secrets: Sequence[str]) -> list[Match]:
    """The best matches, each record once, with a number for each group of equals."""
    out: list[Match] = []
    seen: set[str] = set()
    group, last = -1, None
    for one in ranked:
        if len(out) == limit:
            break
        if one.row.id in seen:
            continue
        seen.add(one.row.id)
        standing = _standing(one)
        if standing != last:
            group, last = group + 1, standing
        out.append(_match(text, one, group, secrets))
    return out
