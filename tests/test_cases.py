"""Hard pastes, each with the record that a reader should land on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from errdex.cli import main
from errdex.match.engine import Matcher

CASES = Path(__file__).parent / "cases"
FORMATS = ("text", "json", "jsonl", "markdown", "github", "sarif")


def _pastes() -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for name in ("pastes.jsonl", "more_pastes.jsonl")
        for line in (CASES / name).read_text(encoding="utf-8").splitlines()
    ]


PASTES = _pastes()
KNOWN = [pytest.param(paste, id=paste["id"]) for paste in PASTES if paste["best"]]
UNKNOWN = [pytest.param(paste, id=paste["id"]) for paste in PASTES if not paste["best"]]
VALUED = [pytest.param(paste, id=paste["id"]) for paste in PASTES if paste.get("values")]
SECRET = [pytest.param(paste, id=paste["id"]) for paste in PASTES if paste.get("secretText")]


@pytest.mark.parametrize("paste", KNOWN)
def test_the_right_record_comes_first_and_is_claimed(
    case_matcher: Matcher, paste: dict[str, Any]
) -> None:
    first = case_matcher.match(paste["text"]).matches[0]
    assert (first.id in paste["best"], first.claimed) == (True, True), first


@pytest.mark.parametrize("paste", KNOWN)
def test_the_right_record_is_first_where_only_one_is_asked_for(
    case_matcher: Matcher, paste: dict[str, Any]
) -> None:
    assert [
        match.id in paste["best"] for match in case_matcher.match(paste["text"], limit=1).matches
    ] == [True]


@pytest.mark.parametrize("paste", UNKNOWN)
def test_nothing_is_claimed_of_an_unknown_paste(
    case_matcher: Matcher, paste: dict[str, Any]
) -> None:
    assert case_matcher.match(paste["text"]).claimed == []


@pytest.mark.parametrize("paste", VALUED)
def test_the_values_are_what_a_reader_expects(case_matcher: Matcher, paste: dict[str, Any]) -> None:
    first = case_matcher.match(paste["text"]).matches[0]
    wanted = paste["values"]
    assert {name: first.values.get(name) for name in wanted} == wanted


@pytest.mark.parametrize("paste", SECRET)
def test_no_credential_of_a_paste_is_in_the_answer(
    case_matcher: Matcher, paste: dict[str, Any]
) -> None:
    answer = case_matcher.match(paste["text"])
    assert answer.secret
    written = msgspec.json.encode(answer).decode()
    assert [text for text in paste["secretText"] if text in written] == []


@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("paste", SECRET)
def test_no_credential_of_a_paste_is_printed(
    case_database: Path, paste: dict[str, Any], style: str
) -> None:
    command = ["match", "--db", str(case_database), "--format", style]
    result = CliRunner().invoke(main, command, input=paste["text"])
    assert result.exit_code == 0, result.output
    assert result.output
    assert [text for text in paste["secretText"] if text in result.output] == []


@pytest.mark.parametrize("paste", [pytest.param(paste, id=paste["id"]) for paste in PASTES])
def test_scores_fall_and_claims_come_before_hints(
    case_matcher: Matcher, paste: dict[str, Any]
) -> None:
    matches = case_matcher.match(paste["text"], limit=50).matches
    assert matches == sorted(matches, key=lambda match: (not match.claimed, -match.score))
    assert all(0 <= match.score <= 1 and 0 <= match.coverage <= 1 for match in matches)


@pytest.mark.parametrize("paste", KNOWN)
def test_spans_lie_in_the_paste_and_on_the_line_that_is_named(
    case_matcher: Matcher, paste: dict[str, Any]
) -> None:
    first = case_matcher.match(paste["text"]).matches[0]
    assert first.spans
    assert all(0 <= span.start < span.end <= len(paste["text"]) for span in first.spans)
    begins = min(span.start for span in first.spans)
    assert first.line == paste["text"].count("\n", 0, begins) + 1
