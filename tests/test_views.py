"""Each cleaning pass alone, on its own cases and on look-alikes that it must leave alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from errdex.match.views import CLEANING, LINES, QUOTING, View, views_of
from errdex.match.views.heads import strip_heads
from errdex.match.views.quoting import decode_escapes
from errdex.match.views.wraps import join_hard_wraps, join_soft_wraps

FOLDER = Path(__file__).parent / "cases" / "views"
PASSES = {
    one.__name__: one
    for one in (
        *(*CLEANING, *LINES, *QUOTING),
        *(join_hard_wraps, join_soft_wraps, strip_heads, decode_escapes),
    )
}
CASES = [
    pytest.param(path.stem, case["input"], case["expected"], id=f"{path.stem}: {case['name']}")
    for path in sorted(FOLDER.glob("*.jsonl"))
    for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())
]


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_a_pass_gives_what_its_case_expects(name: str, text: str, expected: str) -> None:
    assert PASSES[name](View(text)).text == expected


@pytest.mark.parametrize(
    ("name", "text"), [case.values[:2] for case in CASES if case.values[1] == case.values[2]]
)
def test_a_pass_that_does_not_apply_gives_the_same_view(name: str, text: str) -> None:
    view = View(text)
    assert PASSES[name](view) is view


def test_every_pass_has_cases_and_look_alikes() -> None:
    changing = {str(case.values[0]) for case in CASES if case.values[1] != case.values[2]}
    staying = {str(case.values[0]) for case in CASES if case.values[1] == case.values[2]}
    assert (changing, staying) == (set(PASSES), set(PASSES))


@pytest.mark.parametrize("text", [str(case.values[1]) for case in CASES])
def test_the_raw_text_is_always_a_view_and_none_comes_twice(text: str) -> None:
    texts = [view.text for view in views_of(text)]
    assert text in texts
    assert len(texts) == len(set(texts))
