"""A view: one reading of a paste, whose every character can be traced to the raw text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


class Edit(NamedTuple):
    """Put `text` where characters `start` to `end` (exclusive) stand."""

    start: int
    end: int
    text: str


Edits = Iterator[tuple[int, int, str]]
"""Edits as plain tuples, in order: a megabyte may need a million."""


class Slice(NamedTuple):
    """Characters `start` to `end` (exclusive) of the view before, kept as they are."""

    start: int
    end: int


class View:
    """A text and, for each stretch of it, where in the raw text it came from."""

    __slots__ = ("_raw_starts", "_starts", "joins", "name", "text")

    def __init__(
        self,
        text: str,
        name: str = "raw",
        starts: list[int] | None = None,
        raw_starts: list[int] | None = None,
        joins: tuple[int, ...] = (),
    ) -> None:
        self.text = text
        self.name = name
        self.joins = joins
        """Offsets at which lines were joined to one; a value at the end of a message may
        end there."""
        # Character i of the stretch that begins at starts[k] came from raw_starts[k] + i.
        self._starts = starts if starts is not None else [0]
        self._raw_starts = raw_starts if raw_starts is not None else [0]

    def raw(self, offset: int) -> int:
        """The offset in the raw text of the character at `offset` here."""
        k = bisect_right(self._starts, offset) - 1
        return self._raw_starts[k] + offset - self._starts[k]

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The raw stretch from the first to behind the last character of a stretch here."""
        first = self.raw(start)
        last = self.raw(end - 1) + 1 if end > start else first
        return (first, last) if last >= first else (first, first)

    def edited(
        self, edits: Iterable[tuple[int, int, str]], name: str, joining: bool = False
    ) -> View:
        """This view with edits (each an Edit) made, which come in order and do not overlap.

        Without any edit it is this view itself. With `joining`, each edit is noted as a
        place where lines were joined.
        """
        text, ours, raws = self.text, self._starts, self._raw_starts
        starts, raw_starts, joins, pieces = list[int](), list[int](), list[int](), list[str]()
        at = length = k = 0  # our stretch k is the last that begins at `at` or before it
        more = len(ours) - 1
        edited = False
        for start, end, put in edits:  # up to one for each character, so nothing is called
            edited = True
            if start > at:
                starts.append(length)
                raw_starts.append(raws[k] + at - ours[k])
                while k < more and ours[k + 1] < start:
                    k += 1
                    starts.append(length + ours[k] - at)
                    raw_starts.append(raws[k])
                pieces.append(text[at:start])
                length += start - at
            if joining:
                joins.append(length)
            if put:
                while k < more and ours[k + 1] <= start:
                    k += 1
                if len(put) <= end - start:
                    starts.append(length)
                    raw_starts.append(raws[k] + start - ours[k])
                else:
                    self._replace(start, end, len(put), length, starts, raw_starts)
                pieces.append(put)
                length += len(put)
            at = end
            while k < more and ours[k + 1] <= at:
                k += 1
        if not edited:
            return self
        if at < len(text):
            self._keep(at, len(text), length, starts, raw_starts)
            pieces.append(text[at:])
        return View("".join(pieces), name, starts or [0], raw_starts or [0], tuple(joins))

    def translated(self, signs: Mapping[int, str], name: str) -> View:
        """This view with characters replaced by one other each."""
        text = self.text.translate(signs)
        return View(text, name, self._starts, self._raw_starts, self.joins)

    def assembled(self, parts: Iterable[Slice | Edit], name: str) -> View:
        """A view of slices and replacements of this one, in the order given."""
        pieces: list[str] = []
        starts: list[int] = []
        raw_starts: list[int] = []
        length = 0
        for part in parts:
            if isinstance(part, Edit):
                piece = part.text
                if piece:
                    self._replace(*part[:2], len(piece), length, starts, raw_starts)
            else:
                piece = self.text[part.start : part.end]
                if piece:
                    self._keep(part.start, part.end, length, starts, raw_starts)
            pieces.append(piece)
            length += len(piece)
        if not starts:
            starts, raw_starts = [0], [0]
        return View("".join(pieces), name, starts, raw_starts)

    def _replace(
        self, start: int, end: int, size: int, at: int, starts: list[int], raw_starts: list[int]
    ) -> None:
        """Note where `size` characters come from that stand for a stretch: one by one from
        its characters, and what is more from its last."""
        starts.append(at)
        raw_starts.append(self.raw(start if end > start else max(0, start - 1)))
        for i in range(max(1, end - start), size):
            starts.append(at + i)
            raw_starts.append(self.raw(max(start, end) - 1) if end > start else raw_starts[-1])

    def _keep(
        self, start: int, end: int, length: int, starts: list[int], raw_starts: list[int]
    ) -> None:
        """Note where the characters `start` to `end`, which go to `length`, came from."""
        ours = self._starts
        k = bisect_right(ours, start)
        starts.append(length)
        raw_starts.append(self._raw_starts[k - 1] + start - ours[k - 1])
        while k < len(ours) and ours[k] < end:
            starts.append(length + ours[k] - start)
            raw_starts.append(self._raw_starts[k])
            k += 1
