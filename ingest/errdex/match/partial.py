"""Patterns whose literals are in a text in order, but not all of them.

Values may be empty or span lines; a tail or head may be cut off; a word may have
changed between versions; a paste may show the source of the message only.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from errdex.late import expression
from errdex.match.between import LONGEST_GAP, values_between
from errdex.match.fragments import Fragment, find_fragment, fragments_of, rfind_fragment
from errdex.match.verify import Occurrence
from errdex.patterns import Pattern

LONGEST_JUMP = 400
"""Characters that a value may have where words of the message are missing."""
SLACK = 12
"""Characters between two words of one literal beyond those of words that are missing."""
_ANCHORS = 3
"""Words that the rest is laid around: those that say most."""
_MOST_TRIED = 6
"""As many where none of the first is there; a word that comes twice counts once."""
LEAST_COVERAGE = 0.15
"""What is less is not even a hint."""
_ANCHOR_PLACES = 3

_SHORTEST_STEM = 4
_ALTERED_SHARE = 0.5
"""What a word in another form is worth."""

_SAYING = 1.0
"""Bits of a fragment that is more than a few marks."""
_LONGEST_WORD = 40
_CUT_MARK = (
    r"(?:\.{3}|[\[(<][^\])>\n]{0,20}(?:trunc|snip|cut off|omitted|\.{3})[^\])>\n]{0,40}[\])>])"
)
_CUT_HERE = expression(rf"[ \t]?\w{{0,40}}[ \t]{{0,3}}{_CUT_MARK}")
_CUT_IN_VALUE = expression(rf"[^\n]{{0,400}}?{_CUT_MARK}[ \t]*(?:\n|\Z)")
_LINE_ENDS = expression(r"[ \t]*\n")
_LAST_WORD = expression(r"(\w+)\s*\Z")
_NEXT_WORD = expression(r"\s*(\w+)")


class Alignment(NamedTuple):
    """Where a pattern lies in a text, and how much of it."""

    occurrence: Occurrence
    coverage: float
    """Information of the words that were found ÷ that of all, from 0 to 1."""
    cut: bool
    """True if all that is missing would lie before the text's beginning or behind its end."""
    whole: bool = False
    """True if the literals are there as they are, with nothing missing between them."""


def relaxed(pattern: Pattern, text: str) -> list[Alignment]:
    """All pieces in order, with values that may be empty and may span lines; the first
    few places where they lie so."""
    found: list[Alignment] = []
    first = pattern.pieces[0]
    start = text.find(first)
    for _ in range(_ANCHOR_PLACES if first else 1):
        if start < 0:
            break
        occurrence = _all_pieces(pattern, text, start)
        if occurrence is not None:
            found.append(Alignment(occurrence, 1.0, cut=False, whole=True))
        start = text.find(first, start + max(1, len(first)))
    return found


def _all_pieces(pattern: Pattern, text: str, start: int) -> Occurrence | None:
    position, groups = start + len(pattern.pieces[0]), []
    for piece in pattern.pieces[1:]:
        found = text.find(piece, position, position + LONGEST_GAP + len(piece))
        if found < 0:
            return None
        groups.append((position, _without_breaks(text, position, found)))
        position = found + len(piece)
    return Occurrence(start, position, tuple(groups))


def _without_breaks(text: str, start: int, end: int) -> int:
    """The end of a stretch without line breaks and what blanks are among them."""
    last = end
    while last > start and text[last - 1].isspace():
        last -= 1
    return last if "\n" in text[last:end] else end


def align(pattern: Pattern, text: str, *, thorough: bool = True) -> list[Alignment]:
    """A few ways to lay the words of the pattern along the text.

    Each begins at one of the pattern's most telling words and goes on to both sides;
    words are skipped where they are not near enough. Unless `thorough`, a text without any
    of the three most telling words has nothing of the pattern. The cost is bounded by the
    number of words times LONGEST_JUMP.
    """
    fragments = fragments_of(pattern.pieces)
    found: dict[tuple[int, int], Alignment] = {}
    laid: set[tuple[int, int]] = set()
    order = sorted(range(len(fragments)), key=lambda i: -fragments[i].bits)[:_MOST_TRIED]
    telling = {fragments[i].text for i in order[:_ANCHORS]}
    for rank, anchor in enumerate(order):
        if rank >= _ANCHORS and (laid or not thorough) and fragments[anchor].text not in telling:
            continue
        at, places = -1, 0
        while (
            places < _ANCHOR_PLACES and (at := find_fragment(fragments[anchor], text, at + 1)) >= 0
        ):
            places += 1
            if (anchor, at) in laid:
                continue
            there, altered = _around(fragments, anchor, text, at)
            laid.update(there.items())
            alignment = _alignment(pattern, fragments, there, altered, text)
            if alignment is None:
                continue
            place = (alignment.occurrence.start, alignment.occurrence.end)
            if place not in found or alignment.coverage > found[place].coverage:
                found[place] = alignment
    return list(found.values())


def _around(
    fragments: tuple[Fragment, ...], anchor: int, text: str, at: int
) -> tuple[dict[int, int], dict[int, tuple[int, int]]]:
    """Where the fragments lie around one of them, and where words that look like them."""
    places, altered = {anchor: at}, dict[int, tuple[int, int]]()
    _walk(fragments, range(anchor + 1, len(fragments)), anchor, text, places, altered)
    _walk(fragments, range(anchor - 1, -1, -1), anchor, text, places, altered)
    return places, altered


def _walk(
    fragments: tuple[Fragment, ...],
    order: range,
    anchor: int,
    text: str,
    places: dict[int, int],
    altered: dict[int, tuple[int, int]],
) -> None:
    """Find the fragments one after another, away from the anchor; note where they are."""
    forward = order.step > 0
    before, skipped = anchor, 0
    word, word_of = None, -1
    position = places[anchor] + (len(fragments[anchor].text) if forward else 0)
    for i in order:
        fragment = fragments[i]
        size = len(fragment.text)
        jump = LONGEST_JUMP if fragment.piece != fragments[before].piece else SLACK
        reach = jump + skipped + size
        if forward:
            found = find_fragment(fragment, text, position, position + reach)
        else:
            found = rfind_fragment(fragment, text, max(0, position - reach), position)
        if found < 0 and size >= _SHORTEST_STEM:
            if word_of != position:
                word, word_of = _next_word(text, position, forward), position
            if word and _is_altered(fragment.text, word[1]):
                altered[i], before, skipped = word.span(1), i, 0
                position = word.end(1) if forward else word.start(1)
                continue
        if found < 0:
            skipped += size + 1
            continue
        places[i], before, skipped = found, i, 0
        position = found + size if forward else found


def _next_word(text: str, position: int, forward: bool) -> re.Match[str] | None:
    if forward:
        return _NEXT_WORD.match(text, position)
    return _LAST_WORD.search(text, max(0, position - _LONGEST_WORD), position)


def _is_altered(word: str, other: str) -> bool:
    """True if the other word looks like this one in another form: `compactor`, `compaction`."""
    if word[:_SHORTEST_STEM] != other[:_SHORTEST_STEM]:
        return False
    stem = _SHORTEST_STEM
    for ours, theirs in zip(word[stem:], other[stem:], strict=False):
        if ours != theirs:
            break
        stem += 1
    return stem * 2 >= max(len(word), len(other))


def _alignment(
    pattern: Pattern,
    fragments: tuple[Fragment, ...],
    places: dict[int, int],
    altered: dict[int, tuple[int, int]],
    text: str,
) -> Alignment | None:
    """How much lies there, and where; None if it is next to nothing."""
    _drop_stray_signs(fragments, places)
    total = sum(fragment.bits for fragment in fragments) or 1.0
    found = sum(fragments[i].bits for i in places)
    found += _ALTERED_SHARE * sum(fragments[i].bits for i in altered)
    if found < LEAST_COVERAGE * total:
        return None
    start = min(places.values())
    end = max(at + len(fragments[i].text) for i, at in places.items())
    last = max(places)
    piece = fragments[last].piece
    begun = last + 1 == len(fragments) or fragments[last + 1].piece > piece
    in_value = begun and piece + 1 < len(pattern.pieces)
    line_done = last + 1 < len(fragments) and fragments[last + 1].opens_line
    cut_tail = _is_cut_behind(text, end, in_value=in_value, line_done=line_done)
    cut_head = start <= SLACK
    inner = range(min(places), max(places) + 1)
    whole_inside = all(i in places for i in inner)
    head_there, tail_there = min(places) == 0, last == len(fragments) - 1
    cut = whole_inside and (head_there or cut_head) and (tail_there or cut_tail)
    return Alignment(
        Occurrence(start, end, values_between(pattern, fragments, places, altered, text)),
        min(1.0, found / total),
        cut and not (head_there and tail_there),
    )


def _drop_stray_signs(fragments: tuple[Fragment, ...], places: dict[int, int]) -> None:
    """Take out marks at either end whose neighboring word is missing: a full stop is found
    behind any message that is cut off."""
    order = sorted(places)
    while len(order) > 1 and fragments[order[-1]].bits < _SAYING and order[-1] - order[-2] > 1:
        del places[order.pop()]
    while len(order) > 1 and fragments[order[0]].bits < _SAYING and order[1] - order[0] > 1:
        del places[order.pop(0)]


def _is_cut_behind(text: str, end: int, *, in_value: bool, line_done: bool) -> bool:
    """True if the text ends at `end` or soon after, or the message is cut off there: at a
    mark that says so, or at the end of the first of its lines. In a value, the rest of the
    line counts as such a place."""
    left = len(text) - end
    if left <= SLACK or not text[end:].strip():
        return True
    if in_value and left <= LONGEST_JUMP and "\n" not in text[end:].strip():
        return True
    if line_done and (in_value or _LINE_ENDS.match(text, end)):
        return True
    return bool((_CUT_IN_VALUE if in_value else _CUT_HERE).match(text, end))
