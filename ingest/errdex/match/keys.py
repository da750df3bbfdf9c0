"""Keys: short byte windows that a literal and any text holding it have in common.

A *boundary window* begins with a non-word byte before a word byte, so that the
beginning of a word lies inside it: wherever a literal stands in a text, its boundary
windows are boundary windows of the text. They are 8 and 12 bytes long; a line of a log
has about 16 of each. The longer ones part messages that all say "must be". Literals
without any are filed under a *short window*: any 4 bytes.

All are taken over the UTF-8 bytes in ASCII lower case. Bytes from 0x80 up count as
word bytes. Keys are integers: the CRC-32 of a boundary window, or 2**32 plus a short
window read as a little-endian integer. Collisions cost a needless check, no answer.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterable
from zlib import crc32

SHORT_BYTES = 4
SHORT_BASE = 1 << 32

SIZES = (8, 12)
"""Bytes of a boundary window."""

_BOUNDARY = {
    size: re.compile(rb"(?s)(?=([^0-9a-z_\x80-\xff][0-9a-z_\x80-\xff].{%d}))" % (size - 2))
    for size in SIZES
}

_KINDS = re.sub(rb"[^0-9a-z_\x80-\xff]", b" ", bytes(range(256)))
_KINDS = re.sub(rb"[^ ]", b"a", _KINDS)
_BEGIN = b" a"
"""How a boundary window begins, where every word byte is an `a` and every other a blank."""


_LINE = re.compile(rb"(?ms)^(?=([0-9a-z_\x80-\xff].{%d}))" % (SIZES[0] - 2))
"""What a line begins with. With a blank before it, it is a window too: messages mostly stand
behind one, and so the first word of many is filed with it."""


def folded(text: str) -> bytes:
    """The bytes that windows are taken from."""
    return text.encode("utf-8", "surrogatepass").lower()


def both_boundary_keys(texts: Iterable[bytes]) -> tuple[list[int], list[int]]:
    """Keys of the boundary windows of folded texts, of each size, in their order."""
    short: list[int] = []
    long: list[int] = []
    for data in texts:
        kinds = data.translate(_KINDS)
        last_short, last_long = len(data) - SIZES[0], len(data) - SIZES[1]
        at = kinds.find(_BEGIN)
        while 0 <= at <= last_short:
            middle = at + SIZES[0]
            key = crc32(data[at:middle])
            short.append(key)
            if at <= last_long:
                long.append(crc32(data[middle : at + SIZES[1]], key))
            at = kinds.find(_BEGIN, at + 2)
    return short, long


def distinct_boundary_keys(data: bytes) -> set[int]:
    """Keys of the boundary windows, each once."""
    return set(map(crc32, _windows(data)))


def _windows(data: bytes) -> set[bytes]:
    found = {b" " + begin for begin in _LINE.findall(data)}
    for pattern in _BOUNDARY.values():
        found.update(pattern.findall(data))
    return found


def keys_of(texts: Iterable[str]) -> tuple[set[int], set[int]]:
    """Boundary keys and short windows of several texts together."""
    boundary: set[bytes] = set()
    short: set[int] = set()
    for text in texts:
        data = folded(text)
        boundary |= _windows(data)
        short |= short_windows(data)
    return set(map(crc32, boundary)), short


def short_windows(data: bytes) -> set[int]:
    """Every 4-byte window of folded bytes as an integer, without SHORT_BASE."""
    found: set[int] = set()
    for shift in range(SHORT_BYTES):
        whole = (len(data) - shift) // SHORT_BYTES * SHORT_BYTES
        if whole > 0:
            windows = array("I", data[shift : shift + whole])
            if sys.byteorder == "big":
                windows.byteswap()
            found.update(windows)
    return found
