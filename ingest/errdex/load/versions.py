"""Which of two states of a record is the newer one."""

from __future__ import annotations

import re
from functools import lru_cache

Key = tuple[tuple[int, str], ...]

_REMEMBERED = 100
"""Characters of a version that is remembered with its key: a dataset has few, and short ones."""
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(?:Z|\+00:00)\Z")
_DIGITS = re.compile(r"([0-9]+)")


def is_newer(version: str | None, other: str | None) -> bool:
    """True if both are known and the dataset `version` is newer than `other`."""
    if version is None or other is None or version == other:
        return False
    return version_key(version) > version_key(other)


def is_older_state(
    version: str | None, analyzed_at: str, other_version: str | None, other_analyzed_at: str
) -> bool:
    """True if the first state is older: by dataset version if both say one, then by analysis."""
    if is_newer(other_version, version):
        return True
    if is_newer(version, other_version):
        return False
    return version_key(analyzed_at) < version_key(other_analyzed_at)


def version_key(version: str) -> Key:
    """Orders times by time, and other versions by their numbers (`v9` before `v10`)."""
    return _remembered(version) if len(version) <= _REMEMBERED else _key(version)


def _key(version: str) -> Key:
    time = _TIME.match(version)
    if time:
        fraction = (time[2] or ".").ljust(10, "0")
        version = f"{time[1]}{fraction}"
    return tuple(
        (len(digits := part.lstrip("0")), digits) if number % 2 else (-1, part)
        for number, part in enumerate(_DIGITS.split(version))
    )


_remembered = lru_cache(maxsize=1000)(_key)
