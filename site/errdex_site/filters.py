"""Binary fuse filters: which keys are in a set, with few bits a key and few false answers.

A key in the set is never denied. One that is not is taken for one that is once in
2 ** bits times. 1.13 × `bits` for each key (Graf and Lemire, 2022). `static/match/filter.js`
asks it.
"""

from __future__ import annotations

import base64
import math
from array import array
from collections.abc import Sequence
from typing import NamedTuple

_MASK = 0xFFFFFFFF
_ATTEMPTS = 100


class Filter(NamedTuple):
    """A filter as the browser reads it."""

    seed: int
    bits: int
    segment: int
    """Cells of a segment, a power of two."""
    range: int
    """Cells in which a key's first place may be."""
    cells: str
    """`bits` a cell, lowest first, in base64."""


def mix(value: int) -> int:
    """32 bits, well mixed (MurmurHash3's finalizer)."""
    value ^= value >> 16
    value = value * 0x85EBCA6B & _MASK
    value ^= value >> 13
    value = value * 0xC2B2AE35 & _MASK
    return value ^ value >> 16


def build(keys: Sequence[int], bits: int) -> Filter:
    """The filter of distinct 32-bit keys."""
    count = len(keys)
    segment = 4 if count < 2 else 1 << min(16, int(math.log(count) / math.log(3.33) + 2.25))
    factor = 1.125 if count < 2 else max(1.125, 0.875 + 0.25 * math.log(1e6) / math.log(count))
    wanted = int(count * factor)
    span = max(1, -(-wanted // segment) - 2) * segment
    for seed in range(_ATTEMPTS):
        cells = _fill(keys, bits, segment, span, seed)
        if cells is not None:
            return Filter(seed, bits, segment, span, _packed(cells, bits))
    raise AssertionError("no seed peels the keys: they are not distinct")


def _places(key: int, seed: int, segment: int, span: int) -> tuple[int, int, int, int]:
    """The three cells of a key, and its fingerprint before it is cut to size."""
    first = mix(key ^ seed * 0x9E3779B9 & _MASK)
    second = mix(first ^ 0x9E3779B9)
    start = first * span >> 32
    one = start + segment ^ second & segment - 1
    two = start + 2 * segment ^ second >> 16 & segment - 1
    return start, one, two, first ^ second >> 8


def _fill(keys: Sequence[int], bits: int, segment: int, span: int, seed: int) -> array[int] | None:
    """Peel cells that hold one key only; None where a core is left."""
    size = span + 2 * segment
    degree, held = array("H", bytes(2 * size)), array("I", bytes(4 * size))
    for number, key in enumerate(keys):
        for cell in _places(key, seed, segment, span)[:3]:
            degree[cell] += 1
            held[cell] ^= number
    queue = array("I", (cell for cell in range(size) if degree[cell] == 1))
    numbers, cells = array("I"), array("I")
    while queue:
        cell = queue.pop()
        if degree[cell] != 1:
            continue
        number = held[cell]
        numbers.append(number)
        cells.append(cell)
        for other in _places(keys[number], seed, segment, span)[:3]:
            degree[other] -= 1
            held[other] ^= number
            if degree[other] == 1:
                queue.append(other)
    if len(numbers) != len(keys):
        return None
    values = array("B", bytes(size))
    most = (1 << bits) - 1
    for number, cell in zip(reversed(numbers), reversed(cells), strict=True):
        one, two, three, mark = _places(keys[number], seed, segment, span)
        values[cell] = (mark ^ values[one] ^ values[two] ^ values[three] ^ values[cell]) & most
    return values


def _packed(values: array[int], bits: int) -> str:
    out, waiting, held = bytearray(), 0, 0
    for value in values:
        waiting |= value << held
        held += bits
        while held >= 8:
            out.append(waiting & 0xFF)
            waiting >>= 8
            held -= 8
    if held:
        out.append(waiting)
    return base64.b64encode(out).decode()
