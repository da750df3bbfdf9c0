"""Memory of the service: what a large text needed is given back."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from datasette_errdex.giving_back import give_back, keep_little

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and needs glibc")

PIECES, SIZE = 400_000, 600
"""600 bytes are the C library's business, fewer are Python's."""


def resident() -> int:
    """Bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_memory_that_was_needed_for_a_moment_is_given_back() -> None:
    """Without it, one piece that is kept among the freed ones holds all of those before it."""
    keep_little()
    before = resident()
    pieces = [bytes(SIZE) for _ in range(PIECES)]
    kept = pieces[-1]
    del pieces
    freed = resident()
    give_back()
    assert kept == bytes(SIZE)
    assert freed - before > PIECES * SIZE // 2
    assert resident() - before < PIECES * SIZE // 10
