"""Example fixes: before and after told apart in any comment style."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex.example import changes, diff

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "examples.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_an_example_is_read_as_its_case_says(case: dict[str, Any]) -> None:
    found = changes(case["example"])
    lines = [
        f"{line.sign} {(change.before if line.sign == '-' else change.after)[line.at]}"
        for change in found
        for line in diff(change)
    ]
    assert lines == case["diff"]
    if "notes" in case:
        assert [found[0].before_note, found[0].after_note] == case["notes"]


def test_a_long_example_is_all_removed_then_all_added() -> None:
    before, after = [f"a{n}" for n in range(100)], [f"b{n}" for n in range(100)]
    (change,) = changes("\n".join(["# before", *before, "# after", *after]))
    assert [line.sign for line in diff(change)] == ["-"] * 100 + ["+"] * 100


@given(st.text(), st.text())
def test_a_diff_holds_every_line_of_both_sides(before: str, after: str) -> None:
    for change in changes(f"# before\n{before}\n# after\n{after}"):
        lines = list(diff(change))
        assert [line.at for line in lines if line.sign != "-"] == list(range(len(change.after)))
        removed = [line.at for line in lines if line.sign == "-"]
        kept = sum(line.sign == " " for line in lines)
        assert len(removed) + kept == len(change.before)
