"""Patterns on their way into the index, and what is held of them until then."""

from __future__ import annotations

import re
from itertools import chain
from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from errdex.match.keys import SIZES, both_boundary_keys, folded
from errdex.match.spill import Spill
from errdex.patterns import _any_wildcards, _usual_wildcards

pieces = st.lists(
    st.one_of(
        st.sampled_from(
            ["(.+?)", "(.*)", "\\", "\\\\", "\\(", "\\.", "\\n", "{", "}", "]", "(?i)"]
        ),
        st.text("ab .(+?)é\n", max_size=6),
    ),
    max_size=8,
).map("".join)


@given(pieces)
def test_the_short_way_of_analysis_says_what_the_long_one_says(source: str) -> None:
    usual = _usual_wildcards(source)
    assert usual is None or usual == _any_wildcards(source)


def boundary_keys(data: bytes, size: int) -> list[int]:
    """Keys of the windows that begin with a word, as `errdex.match.keys` describes them."""
    word = rb"[0-9a-z_\x80-\xff]"
    window = rb"(?=((?!%b)[\x00-\xff]%b[\x00-\xff]{%d}))" % (word, word, size - 2)
    return [crc32(found) for found in re.findall(window, data)]


@given(st.lists(st.text("aB _-é:\n0", max_size=40), max_size=4))
def test_both_sizes_of_windows_are_those_of_each_size(literals: list[str]) -> None:
    texts = [folded(literal) for literal in literals]
    expected = tuple(
        list(chain.from_iterable(boundary_keys(text, size) for text in texts)) for size in SIZES
    )
    assert both_boundary_keys(texts) == expected


@given(st.lists(st.lists(st.integers(0, 2**32 - 1), max_size=5), max_size=30))
def test_what_is_held_in_a_file_comes_back_whole_and_in_order(added: list[list[int]]) -> None:
    held = Spill("I", in_memory=4)
    for numbers in added:
        held.add(numbers)
        held.settle()
    parts = [list(part) for part in held.parts()]
    assert list(chain.from_iterable(parts)) == list(chain.from_iterable(added))
    assert all(len(part) < 4 + 5 for part in parts)
