"""Fuzzing the cleaning passes: every character of a view can be traced to the raw text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex.match.views import CLEANING, LINES, QUOTING, View, views_of
from errdex.match.views.view import Edit, Slice
from errdex.match.views.wraps import join_hard_wraps, join_soft_wraps
from tests.fuzz.inputs import MARKS, PASTES, a_share, text_with_halves

PASSES = (*CLEANING, *LINES, *QUOTING, join_hard_wraps, join_soft_wraps)
TEXTS = st.lists(st.one_of(st.sampled_from(MARKS), text_with_halves), max_size=25).map("".join)


def kept(view: View) -> list[tuple[str, int]]:
    """Each character with the raw offset that it is traced to."""
    return [(character, view.raw(offset)) for offset, character in enumerate(view.text)]


@pytest.mark.parametrize("text", PASTES, ids=range(len(PASTES)))
def test_offsets_of_pastes_lie_in_the_raw_text(text: str) -> None:
    for view in views_of(text):
        assert all(0 <= raw <= len(text) for _, raw in kept(view)), view.name


@a_share(2)
@given(st.lists(st.sampled_from(PASSES), max_size=6), TEXTS)
def test_a_character_that_was_kept_is_traced_to_itself(passes: list[object], text: str) -> None:
    """Characters from U+E000 on, which no pass knows, stand for what must be kept."""
    marked = "".join(f"{character}{chr(0xE000 + i)}" for i, character in enumerate(text))
    for source in (text, marked):
        view = View(source)
        for one in passes:
            view = one(view)  # type: ignore[operator] # a pass
        for character, raw in kept(view):
            if "\ue000" <= character <= "\uf8ff" and character in source:
                assert source[raw] == character


@a_share(2)
@given(TEXTS)
def test_spans_of_views_are_ordered_and_lie_in_the_raw_text(text: str) -> None:
    for view in views_of(text):
        length = len(view.text)
        for start, end in ((0, length), (length // 3, length // 2), (length, length)):
            first, last = view.raw_span(start, end)
            assert 0 <= first <= last <= len(text)


@given(st.text(min_size=6, max_size=30), st.data())
def test_edits_on_edits_trace_back_to_the_first_text(text: str, data: st.DataObject) -> None:
    view = View(text)
    for _ in range(3):
        cuts = sorted(data.draw(st.sets(st.integers(0, len(view.text)), max_size=4)))
        edits = [
            Edit(start, end, data.draw(st.sampled_from(["", "\ufff0"])))
            for start, end in zip(cuts[::2], cuts[1::2], strict=False)
        ]
        view = view.edited(edits, "edited")
    assert all(text[raw] == character for character, raw in kept(view) if character != "\ufff0")


def test_slices_may_change_places() -> None:
    view = View("abcdef").edited([Edit(1, 2, "")], "shorter")
    turned = view.assembled([Slice(3, 5), Edit(5, 5, "-"), Slice(0, 3)], "turned")
    assert turned.text == "ef-acd"
    assert [raw for character, raw in kept(turned) if character != "-"] == [4, 5, 0, 2, 3]


@pytest.mark.parametrize(
    "text",
    [
        "", "\n", "\x00", "\x1b", "\x1b[", '"', "\\", "{", '{"a":"\\', "│", ",\"\"\"", "b'", "('",
        "\ud83d", "[", "&", "<", "](http", "2026-11-30T", "a |", "\r\x00",
    ],
)  # fmt: skip
@pytest.mark.parametrize("times", [1, 2, 500])
def test_no_pass_fails_on_fragments(text: str, times: int) -> None:
    assert text * times in [view.text for view in views_of(text * times)]
