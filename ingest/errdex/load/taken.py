"""Ids and slugs that came before, remembered in a fixed amount of memory."""

from __future__ import annotations

from zlib import crc32

_BITS = 27


class Taken:
    """A Bloom filter: it never misses one that came before, and takes about one new record
    in a hundred for one that did, when a million came."""

    def __init__(self) -> None:
        self._marks = bytearray(1 << (_BITS - 3))

    def seen(self, record_id: str, repo: str, slug: str) -> bool:
        """True if the id, or the slug in its repo, may have come before; marks both."""
        by_id = int(record_id[:8], 16) >> (32 - _BITS)
        by_slug = crc32(f"{repo}/{slug}".encode()) >> (32 - _BITS)
        return self._mark(by_id) | self._mark(by_slug)

    def _mark(self, at: int) -> bool:
        byte, bit = at >> 3, 1 << (at & 7)
        marked = self._marks[byte]
        if marked & bit:
            return True
        self._marks[byte] = marked | bit
        return False
