"""Ids and slugs that came before, remembered in a fixed amount of memory."""

from __future__ import annotations

_MASK = (1 << 27) - 1


class Taken:
    """A Bloom filter: it never misses one that came before, and takes about one new record
    in a hundred for one that did, when a million came."""

    def __init__(self) -> None:
        self._marks = bytearray((_MASK >> 3) + 1)

    def seen(self, record_id: str, repo: str, slug: str) -> bool:
        """True if the id, or the slug in its repo, may have come before; marks both."""
        marks = self._marks
        by_id, by_slug = hash(record_id) & _MASK, hash((repo, slug)) & _MASK
        id_bit, slug_bit = 1 << (by_id & 7), 1 << (by_slug & 7)
        seen = marks[by_id >> 3] & id_bit or marks[by_slug >> 3] & slug_bit
        marks[by_id >> 3] |= id_bit
        marks[by_slug >> 3] |= slug_bit
        return bool(seen)
