"""Does a pattern match a text, and where: in linear time, always.

Wildcard patterns are matched by finding their pieces from left to right, each within
the line on which the one before ended. That gives what a regular expression engine
gives for lazy groups: the leftmost match, and in it the shortest captures. All other
patterns, and captures of greedy groups, are left to RE2.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from errdex.patterns import Pattern

_MOST_BYTES = 8 << 20
"""RE2 memory for one pattern (its own default); beyond it a pattern is refused."""

_MOST_EMPTY = 1000
"""Empty matches, which say nothing, that are passed over before a pattern is given up."""


class Occurrence(NamedTuple):
    """One match: offsets into the text that was searched, ends exclusive."""

    start: int
    end: int
    groups: tuple[tuple[int, int], ...]
    """(-1, -1) stands for a group that took no part."""


def occurrences(pattern: Pattern, text: str, limit: int = 8) -> list[Occurrence]:
    """The first matches of the pattern in the text that are not empty.

    Of wildcard patterns also those that begin within another: a message below the
    source line that raised it would else be swallowed by a match from that line on.
    """
    if not pattern.wildcard:
        return _by_re2(pattern, text, limit) if pattern.kind != "X" else []
    found: list[Occurrence] = []
    first = pattern.pieces[0]
    at = text.find(first)
    while at >= 0 and len(found) < limit:
        occurrence = find_pieces(pattern.pieces, pattern.gaps, text, at)
        if occurrence is None:
            break
        found.append(occurrence)
        if occurrence.end == occurrence.start:
            break
        at = text.find(first, occurrence.start + len(first)) if first else occurrence.end
    if found and pattern.greedy and pattern.kind != "X":
        return _by_re2(pattern, text, limit)
    return [occurrence for occurrence in found if occurrence.end > occurrence.start]


def find_pieces(
    pieces: tuple[str, ...], gaps: tuple[int, ...], text: str, at: int
) -> Occurrence | None:
    """The leftmost match, from `at` on, of pieces with gaps that hold no line break.

    Where a line fails, no later start on it can succeed (each piece is found as early
    as it can be), so each line is searched once: the cost is linear in the text.
    """
    first, least = 0, 0
    if not pieces[0]:
        first = next((i for i, piece in enumerate(pieces) if piece), 0)
        least = sum(gaps[:first])
    while True:
        start = text.find(pieces[first], at + least)
        if start < 0:
            return None
        if first:
            line_start = text.rfind("\n", at, start) + 1
            start = max(at, line_start)
        occurrence, line_end = _chain(pieces, gaps, text, start)
        if occurrence is not None:
            return occurrence
        if line_end < 0:
            return None
        at = line_end + 1


def _chain(
    pieces: tuple[str, ...], gaps: tuple[int, ...], text: str, start: int
) -> tuple[Occurrence | None, int]:
    """Find the pieces one after another from `start`; or else the end of its line, or -1."""
    first = pieces[0]
    if first and not text.startswith(first, start):
        return None, text.find("\n", start)
    position = start + len(first)
    groups = []
    line_end = _line_end(text, position)
    for number, gap in enumerate(gaps, 1):
        piece = pieces[number]
        found = text.find(piece, position + gap, line_end + len(piece))
        if found < 0:
            return None, text.find("\n", start)
        groups.append((position, found))
        position = found + len(piece)
        if position > line_end:
            line_end = _line_end(text, position)
    return Occurrence(start, position, tuple(groups)), -1


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


@lru_cache(maxsize=4096)
def _compiled(source: str) -> Any:
    import re2  # here, since plain wildcards (nearly all patterns) never need it

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MOST_BYTES
    try:
        return re2.compile(source, options)
    except re2.error:
        return None


def _by_re2(pattern: Pattern, text: str, limit: int) -> list[Occurrence]:
    compiled = _compiled(pattern.source)
    if compiled is None:
        return []
    found: list[Occurrence] = []
    empty = 0
    try:
        for match in compiled.finditer(text):
            spans = tuple(match.span(group) for group in range(1, compiled.groups + 1))
            if match.end() > match.start():
                found.append(Occurrence(match.start(), match.end(), spans))
            else:
                empty += 1
            if len(found) == limit or empty == _MOST_EMPTY:
                break
    except UnicodeEncodeError:  # a lone surrogate in the text
        return _by_re2(pattern, text.encode("utf-8", "replace").decode(), limit)
    return found
