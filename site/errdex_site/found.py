"""What matching found → what the match page shows of it."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup, escape

from errdex.match.answers import Answer, Match, Span
from errdex_site import addresses
from errdex_site.invisible import visible

_CONTEXT = 200
"""Characters of the paste that are shown on either side of a match."""


class FoundMatch(NamedTuple):
    """One match as it is shown."""

    match: Match
    path: str
    fragment: str
    excerpt: Markup
    """The paste around the match, which is marked."""


class Found(NamedTuple):
    """An answer as it is shown: what was claimed, by equal rank, then hints, then neighbours."""

    groups: list[list[FoundMatch]]
    hints: list[FoundMatch]
    neighbours: list[FoundMatch]
    secret: bool


def show(text: str, answer: Answer) -> Found:
    """Everything that the match page says about an answer."""
    shown = [_show(text, match) for match in answer.matches]
    claimed = [item for item in shown if item.match.claimed]
    rest = [item for item in shown if not item.match.claimed]
    return Found(
        groups=[list(group) for _, group in groupby(claimed, key=lambda item: item.match.group)],
        hints=[item for item in rest if item.match.tier != "text"],
        neighbours=[item for item in rest if item.match.tier == "text"],
        secret=answer.secret,
    )


def _show(text: str, match: Match) -> FoundMatch:
    return FoundMatch(
        match,
        addresses.error_path(match.repo, match.slug),
        addresses.values_fragment(match.values),
        _excerpt(text, match.spans),
    )


def _excerpt(text: str, spans: list[Span]) -> Markup:
    if not spans:
        return Markup("")
    first, last = min(span.start for span in spans), max(span.end for span in spans)
    start = max(text.rfind("\n", 0, first) + 1, first - _CONTEXT)
    end = text.find("\n", last)
    end = min(len(text) if end < 0 else end, last + _CONTEXT, start + 2000)
    html, at = Markup(""), start
    for span in sorted(spans, key=lambda span: span.start):
        if span.start < at or span.start >= end:
            continue
        marked = escape(visible(text[span.start : min(span.end, end)]))
        html += escape(visible(text[at : span.start])) + Markup("<mark>") + marked
        html += Markup("</mark>")
        at = min(span.end, end)
    return html + escape(visible(text[at:end]))
