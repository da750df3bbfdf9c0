"""Candidates tried on the views of a text: which patterns it holds, where, how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from errdex.late import expression
from errdex.match.answers import Tier
from errdex.match.keys import distinct_boundary_keys, folded
from errdex.match.partial import SLACK, Alignment, align, relaxed
from errdex.match.rows import PatternRow
from errdex.match.values import completed
from errdex.match.verify import Occurrence, occurrences
from errdex.match.views import View
from errdex.patterns import Pattern

ENOUGH_TO_EXPLAIN = 12.0
"""Bits of an exact match beside which no part of another pattern is looked for."""

MOSTLY = 0.4
"""The share of a line that a message's literals are where the line is the message."""

LEAST_PART = 4.0
"""Bits of a part of a message below which it is not worth a hint."""

_LETTER = expression(r"[^\W\d_]")
_EXPRESSION = expression(r"\{[A-Za-z_][^{}\n]{0,80}\}")
_RAISING = expression(r"\b(?:raise|throw|return|panic|assert|new)\b")
_CODE_QUOTE = "\"'`"
_SOURCE_FACTOR = 0.6
_JOINED_FACTOR = 0.8
_CUT_FACTOR = 0.9
_PARTIAL_FACTOR = 0.8
_RELAXED_FACTOR = 0.9
_LOOSE_FACTOR = 0.7


class Finding(NamedTuple):
    """A pattern found in a view."""

    number: int
    pattern: Pattern
    view: View
    occurrence: Occurrence
    tier: Tier
    coverage: float
    literal_bits: float
    said: str
    cut: bool = False
    """What is missing of it lies outside of the text."""
    emptied: bool = False
    """Found in part, but all of it is there on its line, with a value that is empty."""

    @property
    def fills_line(self) -> bool:
        """True if its line or lines have little beside it: a piece of a word that was cut.
        None of its values spans lines."""
        text, occurrence = self.view.text, self.occurrence
        if "\n" in _values(text, occurrence):
            return False
        line_start = text.rfind("\n", 0, occurrence.start) + 1
        line_end = text.find("\n", occurrence.end)
        left = (line_end if line_end >= 0 else len(text)) - occurrence.end
        return occurrence.start - line_start <= SLACK and left <= SLACK

    @property
    def whole(self) -> bool:
        """True if the text is this message and little else, and mostly its literals."""
        captured = sum(end - start for start, end in self.occurrence.groups)
        literal = self.occurrence.end - self.occurrence.start - captured
        return literal * 2 >= len(self.view.text.strip())

    @property
    def begins_with_words(self) -> bool:
        """True if the pattern does not begin with a group."""
        return bool(self.pattern.wildcard and _LETTER.search(self.pattern.pieces[0]))

    def literal_spans(self) -> list[tuple[int, int]]:
        """The stretches of the occurrence outside its groups."""
        spans, at = [], self.occurrence.start
        for start, end in self.occurrence.groups:
            if start >= at:
                spans.append((at, start))
                at = end
        spans.append((at, max(at, self.occurrence.end)))
        return spans


class _Quality(NamedTuple):
    factor: float
    said: str


def find_exact(rows: Mapping[int, PatternRow], views: list[View]) -> list[Finding]:
    """Every pattern that matches any of the views, in the first view where it does so
    as a message; else where its template stands in source code."""
    findings = []
    together = "\0".join(view.text for view in views)
    for number, row in rows.items():
        if row.probe not in together:
            continue
        best: Finding | None = None
        for view in views:
            if row.probe not in view.text:
                continue
            for occurrence in occurrences(row.pattern, view.text):
                found = _exact(number, row, view, completed(row.pattern, view, occurrence))
                if best is None or found.literal_bits > best.literal_bits:
                    best = found
            if best is not None and best.literal_bits == row.bits:
                break
        if best is not None:
            findings.append(best)
    return findings


def _exact(number: int, row: PatternRow, view: View, occurrence: Occurrence) -> Finding:
    quality = _quality(view, occurrence)
    return Finding(
        number,
        row.pattern,
        view,
        occurrence,
        "exact",
        1.0,
        row.bits * quality.factor,
        quality.said,
    )


def _quality(view: View, occurrence: Occurrence) -> _Quality:
    if in_source(view.text, occurrence):
        return _Quality(_SOURCE_FACTOR, "its template stands in the source code shown")
    if any(start < at < end for at in view.joins for start, end in occurrence.groups):
        return _Quality(_JOINED_FACTOR, "the whole message is there, over joined lines")
    return _Quality(1.0, "the whole message is there")


def in_source(text: str, occurrence: Occurrence) -> bool:
    """True if this is the template in a line of code, not a message that was printed."""
    for start, end in occurrence.groups:
        if start >= 0 and _EXPRESSION.search(text, start, end):
            return True
    before = text[occurrence.start - 1 : occurrence.start]
    if not before or before not in _CODE_QUOTE:
        return False
    line_start = text.rfind("\n", 0, occurrence.start) + 1
    return bool(_RAISING.search(text, line_start, occurrence.start))


def explained_keys(exact: list[Finding]) -> set[int]:
    """Keys of what telling exact matches explain: of their literals, and of the whole
    line that consists mostly of them.

    What explains a window once need not be explained by a part of another pattern.
    """
    explained: set[int] = set()
    for finding in exact:
        if finding.literal_bits >= ENOUGH_TO_EXPLAIN:
            for text in _explained_texts(finding):
                explained |= distinct_boundary_keys(folded(text))
    return explained


def explain_all(exact: list[Finding], views: list[View]) -> bool:
    """True if nothing of the text is left that `explained_keys` would not have: it is a
    line that mostly consists of a message. That is so most of the time, and quickly seen."""
    if len(views) > 1 or "\n" in views[0].text:
        return False
    return any(
        finding.literal_bits >= ENOUGH_TO_EXPLAIN and _is_most_of(finding, len(views[0].text))
        for finding in exact
    )


def _explained_texts(finding: Finding) -> Iterator[str]:
    text, occurrence = finding.view.text, finding.occurrence
    start = text.rfind("\n", 0, occurrence.start) + 1
    end = text.find("\n", occurrence.end)
    end = len(text) if end < 0 else end
    if _is_most_of(finding, end - start):
        yield text[max(0, start - 1) : end]
    else:
        for first, last in finding.literal_spans():
            yield text[max(0, first - 1) : last]


def _is_most_of(finding: Finding, size: int) -> bool:
    """True if the literals are a good part of so many characters."""
    return sum(last - first for first, last in finding.literal_spans()) >= MOSTLY * size


def find_partial(
    rows: Mapping[int, PatternRow], views: list[View], *, thorough: bool
) -> list[Finding]:
    """Patterns of which a good part lies in one of the views, in order; see `align`."""
    findings = []
    for number, row in rows.items():
        if not row.pattern.wildcard:
            continue
        found = [_partial(number, row, view, thorough) for view in views]
        some = [finding for finding in found if finding is not None]
        best = max(some, key=lambda finding: finding.literal_bits, default=None)
        if best is not None and best.literal_bits >= LEAST_PART:
            findings.append(best)
    return findings


def _partial(number: int, row: PatternRow, view: View, thorough: bool) -> Finding | None:
    best: Finding | None = None
    pattern, text = row.pattern, view.text
    for alignment in relaxed(pattern, text) or align(pattern, text, thorough=thorough):
        quality = _partial_quality(view, alignment)
        finding = Finding(
            number,
            row.pattern,
            view,
            completed(row.pattern, view, alignment.occurrence),
            "partial",
            alignment.coverage,
            row.bits * alignment.coverage * quality.factor,
            quality.said,
            cut=alignment.cut,
            emptied=alignment.whole and "\n" not in _values(text, alignment.occurrence),
        )
        if best is None or finding.literal_bits > best.literal_bits:
            best = finding
    return best


def _values(text: str, occurrence: Occurrence) -> str:
    return "".join(text[start:end] for start, end in occurrence.groups if start >= 0)


def _partial_quality(view: View, alignment: Alignment) -> _Quality:
    if in_source(view.text, alignment.occurrence):
        return _Quality(_SOURCE_FACTOR, "its template stands in the source code shown")
    if alignment.coverage == 1.0 and alignment.whole:
        said = "all its words are there; a value is empty or spans lines"
        return _Quality(_RELAXED_FACTOR, said)
    share = f"{alignment.coverage:.0%} of its words are there, in order"
    if alignment.coverage == 1.0:
        return _Quality(_LOOSE_FACTOR, f"{share}; something else stands between them")
    if alignment.cut:
        return _Quality(_CUT_FACTOR, f"{share}; the rest is cut off")
    return _Quality(_PARTIAL_FACTOR * alignment.coverage, share)
