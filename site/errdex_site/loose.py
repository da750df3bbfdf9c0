"""The patterns that no key leads to, in the files of the browser's index.

They have no words that a boundary window lies in: one word, mostly, with a value on either
side. Of those with a long one, the root has the hash of how it begins only, and a text that
holds it somewhere fetches a file of them. The others stand in the root.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

from errdex.database.filed import FiledPattern
from errdex.match.information import bits
from errdex.match.keys import folded
from errdex.patterns import restore

WINDOW_BYTES = 8
"""Of a literal's beginning; `index.js` takes as many at every place of a text."""
_MARK_BITS = 20
"""Of the hash of such a window that the root names."""
_FEW = 16
"""Patterns that are not worth a file."""
_A_FILE = 50


class Loose(NamedTuple):
    """Where each of the patterns stands."""

    in_root: list[FiledPattern]
    files: list[list[FiledPattern]]
    """A power of two of them, by the first bits of the window's hash; or none."""
    marks: list[int]
    """The first bits of all windows' hashes, each once, in order."""

    @property
    def bits(self) -> int:
        """Bits of a window's hash that name its file."""
        return max(0, len(self.files).bit_length() - 1)

    def homes(self) -> dict[int, int]:
        """The file of each pattern that is in one, by its number."""
        return {pattern.number: place for place, some in enumerate(self.files) for pattern in some}


def part(patterns: Iterable[FiledPattern]) -> Loose:
    """Part the patterns by where they stand."""
    in_root: list[FiledPattern] = []
    windows: list[tuple[int, FiledPattern]] = []
    for pattern in patterns:
        window = _window(pattern)
        if window is None:
            in_root.append(pattern)
        else:
            windows.append((window, pattern))
    if len(windows) <= _FEW:
        both = sorted([*in_root, *(pattern for _, pattern in windows)])
        return Loose(both, [], [])
    size = max(1, (len(windows) // _A_FILE).bit_length())
    files: list[list[FiledPattern]] = [[] for _ in range(1 << size)]
    for window, pattern in windows:
        files[window >> 32 - size].append(pattern)
    return Loose(in_root, files, sorted({window >> 32 - _MARK_BITS for window, _ in windows}))


def _window(pattern: FiledPattern) -> int | None:
    """The hash of bytes that a text must hold, folded, for the pattern to match."""
    if pattern.kind != "W" or pattern.stand_in is not None:
        return None
    literals = restore(pattern.source, "W", None).literals
    data = folded(max(literals, key=len, default=""))
    return crc32(data[:WINDOW_BYTES]) if len(data) >= WINDOW_BYTES else None


def columns(patterns: Iterable[FiledPattern]) -> dict[str, object]:
    """Patterns whose records stand apart, as columns: steps of their numbers, and sources.

    Kind and bits are told where they are not W and the sum that the browser makes of the
    source itself.
    """
    sources: list[str] = []
    numbers = [0]
    told: dict[str, list[object]] = {}
    for place, pattern in enumerate(patterns):
        sources.append(pattern.source)
        numbers.append(pattern.number)
        usual = restore(pattern.source, "W", pattern.stand_in)
        weight = 0.0
        for literal in usual.literals:
            weight += bits(literal)
        if (pattern.kind, pattern.bits, pattern.stand_in) != ("W", weight, None):
            told[str(place)] = [pattern.kind, pattern.bits, pattern.stand_in or 0]
    return {"steps": steps(numbers), "sources": sources, "told": told}


def steps(numbers: Iterable[int]) -> list[int]:
    """The differences of numbers that follow each other."""
    return [after - before for before, after in pairwise(numbers)]
