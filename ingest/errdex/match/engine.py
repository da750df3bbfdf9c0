"""The one way from a text to its records, for every caller.

Text → views → candidates → verification → ranking; each step is a module of its own.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection

from msgspec.structs import replace

from errdex.match.answers import Answer, Match, Span, Tier
from errdex.match.evidence import Scene
from errdex.match.finding import Finding, find_exact, find_partial
from errdex.match.index import find_candidates, unfiled
from errdex.match.information import COMMON_WORDS
from errdex.match.rank import Verdict, is_answer, judge
from errdex.match.rows import PatternRow, RecordRow, guess_records, read_patterns, read_records
from errdex.match.secrets import find_secrets, mask_secrets
from errdex.match.values import captured, group_names
from errdex.match.views import View, views_of

LONGEST_TEXT = 1_000_000
"""Characters of a text that are read; the rest of it is left out."""

_MOST_CACHED = 20_000
_GUESS_WORDS = 8
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,40}")


class Matcher:
    """Matches texts against the records of one open database.

    Holds the connection and a bounded cache of patterns; threads may share it only if
    they take turns.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._patterns: dict[int, PatternRow] = {}
        self._unfiled: list[int] = []
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

        Reads at most LONGEST_TEXT characters. Nothing of the text is kept.
        """
        self._refresh()
        text = text[:LONGEST_TEXT]
        findings = self._findings(views_of(text))
        ranked = self._ranked(text, findings, repo, tags)
        matches = _numbered(ranked, limit)
        if not any(match.claimed for match in matches) and len(matches) < limit and not tags:
            matches += self._guesses(text, matches, limit, repo)
        return Answer(matches=matches, secret=bool(find_secrets(text)))

    def _refresh(self) -> None:
        """Forget what was cached if the database has changed."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version or len(self._patterns) > _MOST_CACHED:
            self._patterns.clear()
            self._unfiled = unfiled(self._connection)
            self._version = version

    def _pattern_rows(self, numbers: Collection[int]) -> dict[int, PatternRow]:
        missing = [number for number in numbers if number not in self._patterns]
        if missing:
            self._patterns.update(read_patterns(self._connection, missing))
        return {number: self._patterns[number] for number in numbers}

    def _findings(self, views: list[View]) -> list[Finding]:
        candidates = find_candidates(self._connection, [view.text for view in views])
        rows = self._pattern_rows(candidates.exact.union(self._unfiled))
        exact = find_exact(rows, views)
        found = {finding.number for finding in exact}
        promising = candidates.promising(found)
        partial = find_partial(self._pattern_rows(promising), views)
        return exact + partial

    def _ranked(
        self, text: str, findings: list[Finding], repo: str | None, tags: Collection[str]
    ) -> list[tuple[Verdict, Match]]:
        scenes: dict[int, Scene] = {}
        ranked = []
        for finding in findings:
            rows = read_records(self._connection, finding.number, repo, tags)
            scene = scenes.get(id(finding.view))
            if scene is None:
                scene = scenes[id(finding.view)] = Scene(finding.view.text)
            for row in rows:
                verdict = judge(
                    row, scene, finding.occurrence.start, finding.literal_bits, finding.said
                )
                ranked.append((verdict, _match(text, finding, row, verdict)))
        ranked.sort(key=lambda pair: (not pair[1].claimed, -pair[0].bits, pair[1].id))
        return ranked

    def _guesses(
        self, text: str, matches: list[Match], limit: int, repo: str | None
    ) -> list[Match]:
        words = dict.fromkeys(word.lower() for word in _WORD.findall(text[:20_000]))
        rare = sorted((w for w in words if w not in COMMON_WORDS), key=lambda w: -len(w))
        rows = guess_records(self._connection, rare[:_GUESS_WORDS], limit - len(matches), repo)
        seen = {match.id for match in matches}
        return [_guess(row, len(matches)) for row in rows if row.id not in seen]


def _match(text: str, finding: Finding, row: RecordRow, verdict: Verdict) -> Match:
    view, occurrence = finding.view, finding.occurrence
    names = group_names(finding.pattern, row.error_message)
    values = captured(view, occurrence, names)
    spans = [
        Span(*view.raw_span(start, end)) for start, end in finding.literal_spans() if end > start
    ]
    first = min((span.start for span in spans), default=view.raw(occurrence.start))
    exact = finding.tier == "exact"
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
        claimed=is_answer(verdict, exact, finding.coverage, finding.whole, finding.cut),
        group=0,
        coverage=round(finding.coverage, 4),
        values={name: mask_secrets(value) for name, value in values.items()},
        reasons=verdict.reasons,
        spans=spans,
        line=text.count("\n", 0, first) + 1,
    )


def _guess(row: RecordRow, group: int) -> Match:
    tier: Tier = "text"
    return Match(
        id=row.id,
        repo=row.repo,
        slug=row.slug,
        error_class=row.error_class,
        error_code=row.error_code,
        error_message=row.error_message,
        severity=row.severity,
        tier=tier,
        score=0.0,
        claimed=False,
        group=group,
        coverage=0.0,
        values={},
        reasons=["its text has words of yours"],
        spans=[],
        line=1,
    )


def _numbered(ranked: list[tuple[Verdict, Match]], limit: int) -> list[Match]:
    """The best matches, each record once, with a number for each group of equals."""
    out: list[Match] = []
    seen: set[str] = set()
    group, last = -1, None
    for verdict, match in ranked:
        if match.id in seen:
            continue
        if len(out) == limit:
            break
        seen.add(match.id)
        standing = (match.claimed, round(verdict.bits, 6))
        if standing != last:
            group, last = group + 1, standing
        out.append(replace(match, group=group))
    return out
