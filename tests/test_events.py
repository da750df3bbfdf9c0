"""Lines of a log → events; the cases are in `cases/events.txt`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex.events import MOST_LINES, Event, Grouper, events, is_plain

CASES = (Path(__file__).parent / "cases" / "events.txt").read_text("utf-8")
NAMED = {
    title.strip(): body.strip("\n").split("\n---\n")
    for title, body in (part.split("\n", 1) for part in CASES.split("\n=== ")[1:])
}


@pytest.mark.parametrize("name", NAMED)
def test_each_event_of_a_case_is_one(name: str) -> None:
    expected = NAMED[name]
    lines = "\n".join(expected).split("\n")
    assert [event.text for event in events(lines)] == expected


def test_events_are_numbered_by_their_first_lines() -> None:
    lines = ["one", "", "two", "  of two", "", "three"]
    assert list(events(lines)) == [Event(1, "one"), Event(3, "two\n  of two"), Event(6, "three")]


def test_a_line_is_plain_if_nothing_about_it_speaks_of_an_error() -> None:
    assert is_plain("2026-11-30 12:00:00 INFO started")
    for line in ("", "  indented", "}", "ValueError: no", "2026 ERROR x", 'x File "a.py"'):
        assert not is_plain(line)


def test_an_event_without_an_end_is_cut() -> None:
    lines = ["Traceback (most recent call last):", *["  and so on"] * (2 * MOST_LINES)]
    sizes = [event.text.count("\n") + 1 for event in events(lines)]
    assert sizes[0] == MOST_LINES
    assert sum(sizes) == len(lines)


@given(st.lists(st.text(max_size=30).map(lambda text: text.replace("\n", ""))))
def test_no_line_that_says_anything_is_lost(lines: list[str]) -> None:
    kept = [line for event in events(lines) for line in event.text.split("\n")]
    assert [line for line in kept if line.strip()] == [line for line in lines if line.strip()]


def test_an_event_is_given_as_soon_as_its_end_is_known() -> None:
    grouper = Grouper()
    assert grouper.add(1, "one") is None
    assert grouper.add(2, "two") == Event(1, "one")
    assert grouper.end() == Event(2, "two")
    assert grouper.end() is None
