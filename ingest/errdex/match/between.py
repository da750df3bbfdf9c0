"""The values of a message that is there in part: what stands between the words found."""

from __future__ import annotations

from typing import NamedTuple

from errdex.late import expression
from errdex.match.fragments import Fragment
from errdex.patterns import Pattern

LONGEST_GAP = 2000
"""Characters that a value may have where it is allowed to span lines."""
_MOST_CHANGED = 2
"""Words beside a group that may be missing where its value is read all the same."""
_LONGEST_WORD = 40
_QUOTES = "\"'`"
_STOPS = ",;"
"""What another version may have put between a value and the words behind it."""
_NEXT_WORD_HERE = expression(r"[^\w\n]*\w+")
_WORD_BEFORE = expression(r"\w+[^\w\n]*\Z")


def values_between(
    pattern: Pattern,
    fragments: tuple[Fragment, ...],
    places: dict[int, int],
    altered: dict[int, tuple[int, int]],
    text: str,
) -> tuple[tuple[int, int], ...]:
    """The stretch of each group that has something of the literals on both of its sides."""
    spans = {i: (at, at + len(fragments[i].text)) for i, at in places.items()} | altered
    sides: list[list[int]] = [[] for _ in pattern.pieces]
    for i, fragment in enumerate(fragments):
        sides[fragment.piece].append(i)
    groups = []
    for number in range(1, len(pattern.pieces)):
        left = _nearest(fragments, sides[number - 1][::-1], spans)
        if left is None:
            groups.append((-1, -1))
            continue
        right = _nearest(fragments, sides[number], spans)
        line_end = text.find("\n", left.end)
        line_end = len(text) if line_end < 0 else line_end
        if right is not None:
            stretch = _between(text, left, right)
        elif number == len(pattern.pieces) - 1 and not sides[number]:
            tail = pattern.pieces[number - 1]
            start = left.end if left.missing else _behind_blanks(text, left.end, tail)
            stretch = (start, min(start + 1, line_end)) if start <= line_end else (-1, -1)
        elif _goes_to_line_end(fragments, sides[number], number == len(pattern.pieces) - 1):
            stretch = _between(text, left, _Side(line_end, line_end, ()))
        else:
            stretch = (-1, -1)
        groups.append(stretch)
    return tuple(groups)


class _Side(NamedTuple):
    """What was found of the literal on one side of a group, nearest to it."""

    start: int
    end: int
    missing: tuple[Fragment, ...]
    """What should stand between it and the group, but does not."""


def _nearest(
    fragments: tuple[Fragment, ...], order: list[int], spans: dict[int, tuple[int, int]]
) -> _Side | None:
    missing: list[Fragment] = []
    for i in order:
        if i in spans:
            return _Side(*spans[i], tuple(missing))
        missing.append(fragments[i])
        if sum(fragment.is_word for fragment in missing) > _MOST_CHANGED:
            return None
    return None


def _goes_to_line_end(fragments: tuple[Fragment, ...], side: list[int], last: bool) -> bool:
    """Whether a value before a literal that is missing runs to the end of its line: where
    the literal begins on the next, or is nothing but a full stop at the very end."""
    if not side:
        return False
    return fragments[side[0]].opens_line or (last and not any(fragments[i].is_word for i in side))


def _behind_blanks(text: str, at: int, literal: str) -> int:
    """Behind as many blanks at `at` as the literal has at its end, if so many are there."""
    most = at + len(literal) - len(literal.rstrip())
    while at < most and text[at : at + 1].isspace() and text[at] != "\n":
        at += 1
    return at


def _between(text: str, left: _Side, right: _Side) -> tuple[int, int]:
    """The value between two sides: without a word for each that is missing (it is there in
    other words), unless nothing would be left; without blanks, and quotes that replaced
    others."""
    start, end = left.end, right.start
    if start > end or end - start > LONGEST_GAP:
        return -1, -1
    shorter, longer = start, end
    for fragment in left.missing:
        word = _NEXT_WORD_HERE.match(text, shorter, end) if fragment.is_word else None
        shorter = word.end() if word else shorter
    for fragment in right.missing:
        word = _WORD_BEFORE.search(text, max(start, longer - _LONGEST_WORD), longer)
        longer = word.start() if word and fragment.is_word else longer
    if text[shorter:longer].strip():
        start, end = shorter, longer
    signs = "".join(f.text for f in (*left.missing, *right.missing) if not f.is_word)
    start = _past(text, start, end, signs if left.missing else "")
    while end > start and text[end - 1].isspace():
        end -= 1
    while end > start and text[end - 1] in (signs if right.missing else _STOPS):
        end -= 1
    while signs and start < end - 1 and text[start] == text[end - 1] and text[start] in _QUOTES:
        start, end = start + 1, end - 1
    return start, end


def _past(text: str, at: int, end: int, signs: str) -> int:
    while at < end and (text[at].isspace() or text[at] in signs):
        at += 1
    return at
