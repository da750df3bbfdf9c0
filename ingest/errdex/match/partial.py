"""Patterns whose literals are in a text in order, but not all of them.

Values may be empty or span lines; a tail or head may be cut off; a word may have
changed between versions; a paste may show the source of the message only.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from errdex.late import expression
from errdex.match.information import bits
from errdex.match.verify import Occurrence
from errdex.patterns import Pattern

LONGEST_GAP = 2000
"""Characters that a value may have where it is allowed to span lines."""
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
_MOST_CHANGED = 2
"""Words beside a group that may be missing where its value is read all the same."""
_QUOTES = "\"'`"
_STOPS = ",;"
"""What another version may have put between a value and the words behind it."""
_CUT_MARK = (
    r"(?:\.{3}|[\[(<][^\])>\n]{0,20}(?:trunc|snip|cut off|omitted|\.{3})[^\])>\n]{0,40}[\])>])"
)
_CUT_HERE = expression(rf"[ \t]?\w{{0,40}}[ \t]{{0,3}}{_CUT_MARK}")
_CUT_IN_VALUE = expression(rf"[^\n]{{0,400}}?{_CUT_MARK}[ \t]*(?:\n|\Z)")
_LINE_ENDS = expression(r"[ \t]*\n")
_NEXT_WORD_HERE = expression(r"[^\w\n]*\w+")
_WORD_BEFORE = expression(r"\w+[^\w\n]*\Z")
_LAST_WORD = expression(r"(\w+)\s*\Z")
_NEXT_WORD = expression(r"\s*(\w+)")
_WORD = expression(r"\w+|[^\w\s]+")


class Alignment(NamedTuple):
    """Where a pattern lies in a text, and how much of it."""

    occurrence: Occurrence
    coverage: float
    """Information of the words that were found ÷ that of all, from 0 to 1."""
    cut: bool
    """True if all that is missing would lie before the text's beginning or behind its end."""
    whole: bool = False
    """True if the literals are there as they are, with nothing missing between them."""


class _Fragment(NamedTuple):
    text: str
    piece: int
    bits: float
    edge_left: bool
    """True if a group may come directly before it, within a word."""
    edge_right: bool
    opens_line: bool
    """True if the pattern has a line break between it and what stands before."""

    @property
    def is_word(self) -> bool:
        """True if it is no punctuation."""
        return self.text[0].isalnum() or self.text[0] == "_"


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
    fragments = _fragments(pattern.pieces)
    found: dict[tuple[int, int], Alignment] = {}
    laid: set[tuple[int, int]] = set()
    order = sorted(range(len(fragments)), key=lambda i: -fragments[i].bits)[:_MOST_TRIED]
    telling = {fragments[i].text for i in order[:_ANCHORS]}
    for rank, anchor in enumerate(order):
        if rank >= _ANCHORS and (laid or not thorough) and fragments[anchor].text not in telling:
            continue
        at, places = -1, 0
        while places < _ANCHOR_PLACES and (at := _find(fragments[anchor], text, at + 1)) >= 0:
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


@lru_cache(maxsize=4096)
def _fragments(pieces: tuple[str, ...]) -> tuple[_Fragment, ...]:
    """The words and runs of punctuation of the pattern's pieces."""
    found = []
    last = len(pieces) - 1
    for number, piece in enumerate(pieces):
        before = 0
        for word in _WORD.finditer(piece):
            left = word.start() == 0 and number > 0
            right = word.end() == len(piece) and number < last
            opens = "\n" in piece[before : word.start()]
            found.append(_Fragment(word[0], number, bits(word[0]), left, right, opens))
            before = word.end()
    return tuple(found)


def _find(fragment: _Fragment, text: str, start: int, end: int | None = None) -> int:
    """The first place of a fragment that does not begin or end within a word."""
    at = text.find(fragment.text, start, end)
    while at >= 0 and not _at_words(fragment, text, at):
        at = text.find(fragment.text, at + 1, end)
    return at


def _rfind(fragment: _Fragment, text: str, start: int, end: int) -> int:
    at = text.rfind(fragment.text, start, end)
    while at >= 0 and not _at_words(fragment, text, at):
        at = text.rfind(fragment.text, start, at + len(fragment.text) - 1)
    return at


def _at_words(fragment: _Fragment, text: str, at: int) -> bool:
    word, end = fragment.text, at + len(fragment.text)
    if not fragment.edge_left and at > 0 and word[0].isalnum() and text[at - 1].isalnum():
        return False
    return fragment.edge_right or not (
        end < len(text) and word[-1].isalnum() and text[end].isalnum()
    )


def _around(
    fragments: tuple[_Fragment, ...], anchor: int, text: str, at: int
) -> tuple[dict[int, int], dict[int, tuple[int, int]]]:
    """Where the fragments lie around one of them, and where words that look like them."""
    places, altered = {anchor: at}, dict[int, tuple[int, int]]()
    _walk(fragments, range(anchor + 1, len(fragments)), anchor, text, places, altered)
    _walk(fragments, range(anchor - 1, -1, -1), anchor, text, places, altered)
    return places, altered


def _walk(
    fragments: tuple[_Fragment, ...],
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
            found = _find(fragment, text, position, position + reach)
        else:
            found = _rfind(fragment, text, max(0, position - reach), position)
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
    fragments: tuple[_Fragment, ...],
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
        Occurrence(start, end, _groups(pattern, fragments, places, altered, text)),
        min(1.0, found / total),
        cut and not (head_there and tail_there),
    )


def _drop_stray_signs(fragments: tuple[_Fragment, ...], places: dict[int, int]) -> None:
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


def _groups(
    pattern: Pattern,
    fragments: tuple[_Fragment, ...],
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
    missing: tuple[_Fragment, ...]
    """What should stand between it and the group, but does not."""


def _nearest(
    fragments: tuple[_Fragment, ...], order: list[int], spans: dict[int, tuple[int, int]]
) -> _Side | None:
    missing: list[_Fragment] = []
    for i in order:
        if i in spans:
            return _Side(*spans[i], tuple(missing))
        missing.append(fragments[i])
        if sum(fragment.is_word for fragment in missing) > _MOST_CHANGED:
            return None
    return None


def _goes_to_line_end(fragments: tuple[_Fragment, ...], side: list[int], last: bool) -> bool:
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
