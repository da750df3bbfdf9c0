"""The value of each placeholder, as a reader of the message would say it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.made_records import matching


class Case(msgspec.Struct):
    name: str
    message: str
    text: str
    values: dict[str, str]


PATH = Path(__file__).parent / "cases" / "values.jsonl"
CASE_LIST = msgspec.json.Decoder(Case).decode_lines(PATH.read_bytes())


@pytest.mark.parametrize("case", CASE_LIST, ids=lambda case: case.name)
def test_the_values_are_those_of_the_case(tmp_path: Path, case: Case) -> None:
    with matching(tmp_path, {"errorMessage": case.message}) as matcher:
        (match,) = matcher.match(case.text).matches
    assert match.values == case.values
