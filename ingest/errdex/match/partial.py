"""Patterns whose literals are in a text in order, but not all of them.

Values may be empty or span lines; a tail or head may be cut off; a word may have
changed between versions; a paste may show the source of the message only.
"""

from __future__ import annotations

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
_SLACK = 12
"""Characters between two words of one literal beyond those of words that are missing."""
_ANCHORS = 3
_ANCHOR_PLACES = 3

_SHORTEST_STEM = 4
_ALTERED_SHARE = 0.5
"""What a word in another form is worth."""

_SAYING = 1.0
"""Bits of a fragment that is more than a few marks."""
_LONGEST_WORD = 40
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
        groups.append((position, found))
        position = found + len(piece)
    return Occurrence(start, position, tuple(groups))


def align(pattern: Pattern, text: str) -> list[Alignment]:
    """A few ways to lay the words of the pattern along the text.

    Each begins at one of the pattern's most telling words and goes on to both sides;
    words are skipped where they are not near enough. The cost is bounded by the number
    of words times LONGEST_JUMP.
    """
    fragments = _fragments(pattern.pieces)
    found: dict[tuple[int, int], Alignment] = {}
    anchors = sorted(range(len(fragments)), key=lambda i: -fragments[i].bits)[:_ANCHORS]
    for anchor in anchors:
        at, places = -1, 0
        while places < _ANCHOR_PLACES and (at := _find(fragments[anchor], text, at + 1)) >= 0:
            places += 1
            alignment = _around(pattern, fragments, anchor, text, at)
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
        for word in _WORD.finditer(piece):
            left = word.start() == 0 and number > 0
            right = word.end() == len(piece) and number < last
            found.append(_Fragment(word[0], number, bits(word[0]), left, right))
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
    pattern: Pattern, fragments: tuple[_Fragment, ...], anchor: int, text: str, at: int
) -> Alignment:
    places, altered = {anchor: at}, dict[int, int]()
    _walk(fragments, range(anchor + 1, len(fragments)), anchor, text, places, altered)
    _walk(fragments, range(anchor - 1, -1, -1), anchor, text, places, altered)
    return _alignment(pattern, fragments, places, altered, text)


def _walk(
    fragments: tuple[_Fragment, ...],
    order: range,
    anchor: int,
    text: str,
    places: dict[int, int],
    altered: dict[int, int],
) -> None:
    """Find the fragments one after another, away from the anchor; note where they are."""
    forward = order.step > 0
    before, skipped = anchor, 0
    position = places[anchor] + (len(fragments[anchor].text) if forward else 0)
    for i in order:
        fragment = fragments[i]
        size = len(fragment.text)
        jump = LONGEST_JUMP if fragment.piece != fragments[before].piece else _SLACK
        reach = jump + skipped + size
        if forward:
            found = _find(fragment, text, position, position + reach)
        else:
            found = _rfind(fragment, text, max(0, position - reach), position)
        if found < 0 and (span := _altered(fragment, text, position, forward)):
            altered[i], before, skipped = span[0], i, 0
            position = span[1] if forward else span[0]
            continue
        if found < 0:
            skipped += size + 1
            continue
        places[i], before, skipped = found, i, 0
        position = found + size if forward else found


def _altered(
    fragment: _Fragment, text: str, position: int, forward: bool
) -> tuple[int, int] | None:
    """The next word, if it looks like this one in another form: `compactor`, `compaction`."""
    if len(fragment.text) < _SHORTEST_STEM:
        return None
    if forward:
        word = _NEXT_WORD.match(text, position)
    else:
        word = _LAST_WORD.search(text, max(0, position - _LONGEST_WORD), position)
    if word is None:
        return None
    stem = 0
    for ours, theirs in zip(fragment.text, word[1], strict=False):
        if ours != theirs:
            break
        stem += 1
    if stem < _SHORTEST_STEM or stem * 2 < max(len(word[1]), len(fragment.text)):
        return None
    return word.span(1)


def _alignment(
    pattern: Pattern,
    fragments: tuple[_Fragment, ...],
    places: dict[int, int],
    altered: dict[int, int],
    text: str,
) -> Alignment:
    _drop_stray_signs(fragments, places)
    total = sum(fragment.bits for fragment in fragments) or 1.0
    found = sum(fragments[i].bits for i in places)
    found += _ALTERED_SHARE * sum(fragments[i].bits for i in altered)
    start = min(places.values())
    end = max(at + len(fragments[i].text) for i, at in places.items())
    last = max(places)
    piece = fragments[last].piece
    begun = last + 1 == len(fragments) or fragments[last + 1].piece > piece
    cut_tail = _is_cut_behind(text, end, in_value=begun and piece + 1 < len(pattern.pieces))
    cut_head = start <= _SLACK
    inner = range(min(places), max(places) + 1)
    whole_inside = all(i in places for i in inner)
    head_there, tail_there = min(places) == 0, last == len(fragments) - 1
    cut = whole_inside and (head_there or cut_head) and (tail_there or cut_tail)
    return Alignment(
        Occurrence(start, end, _groups(pattern, fragments, places, text)),
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


def _is_cut_behind(text: str, end: int, *, in_value: bool) -> bool:
    """True if the text ends at `end` or soon after; in a value, if its line is the last."""
    left = len(text) - end
    if left <= _SLACK or not text[end:].strip():
        return True
    return in_value and left <= LONGEST_JUMP and "\n" not in text[end:].strip()


def _groups(
    pattern: Pattern, fragments: tuple[_Fragment, ...], places: dict[int, int], text: str
) -> tuple[tuple[int, int], ...]:
    """The stretch of each group whose neighbors on both sides were found."""
    firsts: dict[int, int] = {}
    lasts: dict[int, int] = {}
    for i, fragment in enumerate(fragments):
        firsts.setdefault(fragment.piece, i)
        lasts[fragment.piece] = i
    groups = []
    for number in range(1, len(pattern.pieces)):
        left, right = lasts.get(number - 1), firsts.get(number)
        if left is None or left not in places:
            groups.append((-1, -1))
            continue
        start = places[left] + len(fragments[left].text)
        start += len(pattern.pieces[number - 1]) - len(pattern.pieces[number - 1].rstrip())
        if right is not None and right in places:
            end = places[right]
            head = pattern.pieces[number]
            end -= len(head) - len(head.lstrip())
        elif right is None and number == len(pattern.pieces) - 1:
            end = min(start + 1, len(text))
        else:
            end = -1
        groups.append((start, end) if start <= end else (-1, -1))
    return tuple(groups)
