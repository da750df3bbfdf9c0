"""Gives memory that was needed for a moment back to the system.

The C library keeps what was freed, in case it is wanted again. After a text of 1 MB that is
half as much as a process of the service takes otherwise, for hours.
"""

from __future__ import annotations

import ctypes
from functools import cache

_TRIM_THRESHOLD, _ARENA_MAX = -1, -8
"""What glibc calls two of its settings."""
_KEPT_BYTES = 128 * 1024
"""Free memory at the end of an arena that is kept: glibc's own choice at the start, which it
raises by itself to many megabytes unless it is set."""
_ARENAS = 2
"""Pools of memory. By itself glibc makes one for each thread, and each keeps its own; since
threads take turns for Python's lock, more than two gain nothing."""


def keep_little() -> None:
    """Have the C library keep little of what is freed; to be called before there are threads."""
    library = _glibc()
    if library is not None:
        library.mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
        library.mallopt(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Give back what is free now; it takes about a millisecond, without Python's lock."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


@cache
def _glibc() -> ctypes.CDLL | None:
    """The C library, where it is one that has such settings: not musl's, nor another system's."""
    try:
        library = ctypes.CDLL(None)
        return library if library.mallopt and library.malloc_trim else None
    except (AttributeError, OSError, TypeError):
        return None
