"""The lines of a block that may hold a message, found with numpy a block at a time.

A line is kept if it holds the key of a pattern, and what stands before and behind the
key is, as far as 8 bytes, what stands there in the pattern's literal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from zlib import crc32

import numpy as np
import numpy.typing as npt

from errdex.bulk.filed import Filed
from errdex.bulk.lines import ACTIVE, Lines, Narrowed
from errdex.events import INDENT, NEEDLES
from errdex.match.keys import SHORT_BASE, SIZES, folded
from errdex.match.rows import PatternRow

Bytes = npt.NDArray[np.uint8]
Pairs = npt.NDArray[np.uint16]
Codes = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

_BOUNDARY = re.compile(rb"(?=[^0-9a-z_\x80-\xff][0-9a-z_\x80-\xff])")
_MARGIN = 16
_STRIDE = 1 << 18
"""Bytes that are looked at together: what is made of them stays in the processor's cache."""
_ALL = 0xFFFFFFFF
_OFTEN = 4
"""A pattern is read from the database when its key is met so often: most are met once."""


_NEEDLE = 0
"""Stands for the needles where the numbers of patterns stand, which are from 1."""


class Narrower:
    """Knows all keys, and learns the surroundings of those that it meets."""

    def __init__(self, filed: Filed) -> None:
        keys = np.array([key for key, _ in filed.rows], dtype=np.int64)
        numbers = np.array([number for _, number in filed.rows], dtype=np.int64)
        split = int(np.searchsorted(keys, SHORT_BASE))
        self._boundary = _Table(keys[:split], numbers[:split], 22)
        needles = np.array([_word(needle[:4].encode()) for needle in NEEDLES], dtype=np.int64)
        self._short = _Table(
            np.concatenate([keys[split:] - SHORT_BASE, needles]),
            np.concatenate([numbers[split:], np.full(len(needles), _NEEDLE)]),
            16,
        )
        self._key_of = dict(zip(numbers.tolist(), keys.tolist(), strict=True))
        self._context = _Contexts(int(numbers.max(initial=0)) + 1)
        self._context.known[_NEEDLE] = True
        self.patterns: Callable[[Collection[int]], Mapping[int, PatternRow]] = _no_patterns
        """Gives patterns by their numbers; set by the process that reads with this."""

    def narrow(self, lines: Lines) -> Narrowed:
        """What there is to look at in these lines."""
        data = np.zeros(len(lines.folded) + 2 * _MARGIN, dtype=np.uint8)
        data[_MARGIN:-_MARGIN] = np.frombuffer(lines.folded, dtype=np.uint8)
        word = np.frombuffer(lines.folded.translate(_WORD_BYTES), dtype=bool)
        suspect = np.frombuffer(lines.folded.translate(_SUSPECT_BYTES), dtype=bool)
        starts = np.array(lines.starts, dtype=np.int64)
        hits: dict[int, set[int]] = {}
        suspects: set[int] = set()
        for begin in range(0, len(word), _STRIDE):
            stretch = slice(begin, begin + _STRIDE)
            near = data[begin : begin + _STRIDE + 2 * _MARGIN]
            pairs = np.ascontiguousarray(_at_every_byte(near, "<u2"))
            before = bool(begin) and bool(word[begin - 1])
            for places, numbers in self._hits(near, pairs, word[stretch], before):
                agreeing = self._agreeing(data, places + begin, numbers)
                at = _line_of(places[agreeing] + begin, starts)
                for line, number in zip(at.tolist(), numbers[agreeing].tolist(), strict=True):
                    hits.setdefault(line, set()).add(number)
            places = np.flatnonzero(suspect[stretch]) + _MARGIN
            places = places[_IS_ACTIVE[pairs[places]] | _IS_QUOTED[pairs[places - 1]]]
            suspects.update(_line_of(places + begin, starts).tolist())
        active = [number for number in sorted(suspects) if ACTIVE.search(lines.raw(number))]
        indented = np.flatnonzero(_IS_INDENT[data[starts + _MARGIN]]).tolist()
        return Narrowed(hits, active, sorted({*indented, *_take_needles(lines, hits)}))

    def _hits(
        self, near: Bytes, pairs: Pairs, word: Flags, word_before: bool
    ) -> Iterator[tuple[Numbers, Numbers]]:
        """Places of keys in a stretch with margins, each with a pattern that is filed so."""
        begins = np.empty(len(word), dtype=bool)
        np.greater(word[1:], word[:-1], out=begins[1:])
        begins[:1] = word[:1] and not word_before
        places = np.flatnonzero(begins) + (_MARGIN - 1)
        codes = np.full(len(places), _ALL, dtype=np.uint32)
        for done in range(0, SIZES[-1], 2):
            states = (codes ^ pairs.take(places + done)) & np.uint32(0xFFFF)
            codes = _AFTER_TWO.take(states) ^ (codes >> np.uint32(16))
            if done + 2 in SIZES:
                yield self._boundary.hits(~codes, places)
        quads = np.ascontiguousarray(_at_every_byte(near, "<u4"))
        yield self._short.hits(quads, np.arange(len(quads)))

    def _agreeing(self, data: Bytes, places: Numbers, numbers: Numbers) -> Flags:
        """Whether the pattern's literal is around each place, as far as 8 bytes."""
        missing = self._context.wanted(numbers)
        for number, row in self.patterns(missing).items():
            self._context.learn(number, self._key_of[number], row.pattern.literals)
        return self._context.agree(data, places, numbers)


class _Table:
    """Numbers of patterns by key, for many keys at once."""

    def __init__(self, keys: Numbers, numbers: Numbers, slots: int) -> None:
        """`slots`: the binary logarithm of the size of the table that is tried first."""
        order = np.argsort(keys, kind="stable")
        self._keys, first = np.unique(keys[order], return_index=True)
        self._first = np.append(first, len(keys)).astype(np.int64)
        self._numbers = numbers[order]
        self._shift = np.uint32(32 - slots)
        self._slots = np.zeros(1 << slots, dtype=bool)
        self._slots[self._slot(self._keys.astype(np.uint32))] = True
        self.count = len(self._keys)

    def _slot(self, codes: Codes) -> Codes:
        return (codes * np.uint32(2654435761)) >> self._shift

    def hits(self, codes: Codes, places: Numbers) -> tuple[Numbers, Numbers]:
        """The places of those codes that are keys, once for each pattern that is filed
        under the key, and the patterns."""
        near = np.flatnonzero(self._slots.take(self._slot(codes)))
        wanted = codes[near].astype(np.int64)
        at = np.minimum(np.searchsorted(self._keys, wanted), max(0, self.count - 1))
        sure = self._keys[at] == wanted if self.count else np.zeros(len(at), dtype=bool)
        near, at = near[sure], at[sure]
        counts = self._first[at + 1] - self._first[at]
        ends = np.cumsum(counts)
        within = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
        numbers = self._numbers[np.repeat(self._first[at], counts) + within]
        return np.repeat(places[near], counts), numbers


class _Contexts:
    """The 8 bytes before and behind each pattern's key in its literal, where learned; any
    bytes will do for a pattern that is not."""

    def __init__(self, count: int) -> None:
        self.known = np.zeros(count, dtype=bool)
        self._met = np.zeros(count, dtype=np.int64)
        self._words = np.zeros((2, count), dtype=np.uint64)
        self._masks = np.zeros((2, count), dtype=np.uint64)

    def wanted(self, numbers: Numbers) -> list[int]:
        """Those of the patterns that are met so often that learning them pays."""
        strange = numbers[~self.known[numbers]]
        np.add.at(self._met, strange, 1)
        often: list[int] = np.unique(strange[self._met[strange] >= _OFTEN]).tolist()
        return often

    def learn(self, number: int, key: int, literals: tuple[str, ...]) -> None:
        """Take the context from the first literal that holds the key."""
        self.known[number] = True
        for literal in map(folded, literals):
            at = _place_of(key, literal)
            if at < 0:
                continue
            behind = literal[at + 8 : at + 16]
            before = literal[max(0, at - 8) : at]
            self._words[:, number] = (_word(before.rjust(8, b"\0")), _word(behind))
            self._masks[:, number] = (
                _word((b"\xff" * len(before)).rjust(8, b"\0")),
                _word(b"\xff" * len(behind)),
            )
            return

    def agree(self, data: Bytes, places: Numbers, numbers: Numbers) -> Flags:
        """Whether the data has the pattern's context around each place."""
        words = _at_every_byte(data, "<u8")
        same = np.ones(len(places), dtype=bool)
        for side, shift in enumerate((-8, 8)):
            at = np.clip(places + shift, 0, len(words) - 1)
            there = words[at] & self._masks[side][numbers]
            same &= there == self._words[side][numbers]
        return same


def _at_every_byte(data: Bytes, kind: str) -> npt.NDArray[np.unsignedinteger]:
    """The number that begins at each byte; a view, without a copy."""
    size = np.dtype(kind).itemsize
    return np.ndarray((len(data) - size + 1,), dtype=kind, buffer=data.data, strides=(1,))


def _take_needles(lines: Lines, hits: dict[int, set[int]]) -> Iterator[int]:
    """The lines that hold a needle; what stood for it is taken out of the hits."""
    for number in list(hits):
        if _NEEDLE in hits[number]:
            hits[number].discard(_NEEDLE)
            if not hits[number]:
                del hits[number]
            if any(needle in lines.folded_line(number) for needle in _NEEDLES):
                yield number


def _line_of(places: Numbers, starts: Numbers) -> Numbers:
    """The lines, numbered from 0, of places in data with a margin."""
    return np.searchsorted(starts, places - _MARGIN, side="right").astype(np.int64) - 1


def _word(some: bytes) -> int:
    return int.from_bytes(some, "little")


def _no_patterns(_: Collection[int]) -> Mapping[int, PatternRow]:
    return {}


def _place_of(key: int, literal: bytes) -> int:
    """Where the window with this key stands first; -1 if nowhere."""
    if key >= SHORT_BASE:
        return literal.find((key - SHORT_BASE).to_bytes(4, "little"))
    for found in _BOUNDARY.finditer(literal):
        at = found.start()
        if any(crc32(literal[at : at + size]) == key for size in SIZES):
            return at
    return -1


def _after_two() -> Codes:
    """CRC-32 of two zero bytes from each 16-bit state on."""
    states = (crc32(b"\0\0", state ^ _ALL) ^ _ALL for state in range(1 << 16))
    return np.fromiter(states, dtype=np.uint32, count=1 << 16)


def _is_word(byte: int) -> bool:
    return byte >= 0x80 or chr(byte) == "_" or chr(byte).isalnum()


def _is_active() -> Flags:
    """Pairs of bytes, the first one low, that begin what ACTIVE finds, or are in it."""
    table = np.zeros((256, 256), dtype=bool)  # [second, first]
    for first in (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F, 0x5C, 0xE2):
        table[:, first] = True
    table[:, 0x0D] = True
    table[0x0A, 0x0D] = False
    for pair in (b"</", b"<h", b"](", b'""', b"\xe3\x80", b"\xef\xbb", b"\xef\xbc", b"#0"):
        table[pair[1], pair[0]] = True
    for pair in (b"0m", b"9m", b"2m"):  # within `[39m`; a bracket before a digit is everywhere
        table[pair[1], pair[0]] = True
    table[[*range(0x61, 0x7B), 0x23], 0x26] = True
    table[0x80:0xC0, 0xC2] = True
    return table.reshape(-1)


def _is_quoted() -> Flags:
    table = np.zeros((256, 256), dtype=bool)
    for before in b"(b":
        for quote in b"'\"":
            table[quote, before] = True
    return table.reshape(-1)


_NEEDLES = [needle.encode() for needle in NEEDLES]
_IS_INDENT = np.zeros(256, dtype=bool)
_IS_INDENT[list(INDENT.encode())] = True
_AFTER_TWO = _after_two()
_IS_ACTIVE = _is_active()
_IS_QUOTED = _is_quoted()
_WORD_BYTES = bytes(map(_is_word, range(256)))
_SUSPECT_BYTES = bytes(
    int(_IS_ACTIVE.reshape(256, 256)[:, byte].any() or byte in b"'\"") for byte in range(256)
)
