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
        marks = self._marks
        by_id = int(record_id[:8], 16) >> (32 - _BITS)
        by_slug = crc32(f"{repo}/{slug}".encode()) >> (32 - _BITS)
        id_bit, slug_bit = 1 << (by_id & 7), 1 << (by_slug & 7)
        seen = marks[by_id >> 3] & id_bit or marks[by_slug >> 3] & slug_bit
        marks[by_id >> 3] |= id_bit
        marks[by_slug >> 3] |= slug_bit
        return bool(seen)
