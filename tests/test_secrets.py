"""Credentials are recognized and masked, and what only looks like one is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex.database.connection import open_for_reading
from errdex.load import load
from errdex.match.engine import Matcher
from errdex.match.secrets import find_secrets, mask_secrets, mask_texts, secret_texts
from errdex.sources import read_lines

CASES = Path(__file__).parent / "cases"


class Case(msgspec.Struct):
    text: str
    masked: str


CASE_LIST = msgspec.json.Decoder(Case).decode_lines((CASES / "secrets.jsonl").read_bytes())


@pytest.mark.parametrize("case", CASE_LIST, ids=lambda case: case.text[:40])
def test_a_text_is_masked_as_its_case_says(case: Case) -> None:
    assert mask_secrets(case.text) == case.masked


@given(st.text(), st.sampled_from([case.text for case in CASE_LIST]), st.text())
def test_secrets_are_found_in_order_and_within_the_text(
    before: str, text: str, behind: str
) -> None:
    whole = f"{before} {text} {behind}"
    last = 0
    for start, end in find_secrets(whole):
        assert last <= start < end <= len(whole)
        last = end


def test_the_longest_credential_is_masked_first() -> None:
    texts = ["password=abcdefgh", "password=abcdefghijkl"]
    assert secret_texts(texts) == ["abcdefghijkl", "abcdefgh"]
    assert mask_texts("x abcdefghijkl y", secret_texts(texts)) == "x *** y"


def test_a_part_of_a_credential_is_masked_wholly() -> None:
    assert mask_texts("bcdefg", ["abcdefgh"]) == "***"
    assert mask_texts("bc", ["abcdefgh"]) == "bc"


@pytest.fixture(scope="module")
def matcher(tmp_path_factory: pytest.TempPathFactory) -> Matcher:
    folder = tmp_path_factory.mktemp("secrets")
    envelope = json.loads((CASES / "records.jsonl").read_text(encoding="utf-8").splitlines()[0])
    envelope["record"] |= {
        "errorMessage": "cannot log in with password={given} at {host}",
        "messagePattern": "cannot log in with password=(.+?) at (.+?)",
        "errorClass": "LoginError",
    }
    (folder / "one.jsonl").write_text(json.dumps(envelope), encoding="utf-8")
    load(read_lines(str(folder / "one.jsonl")), folder / "errdex.db")
    return Matcher(open_for_reading(folder / "errdex.db"))


def test_a_value_cut_out_of_its_context_is_masked(matcher: Matcher) -> None:
    answer = matcher.match("LoginError: cannot log in with password=hunter2secret at db")
    assert answer.secret
    assert answer.matches[0].values == {"given": "***", "host": "db"}


def test_a_credential_that_only_a_cleaned_view_shows_is_masked(matcher: Matcher) -> None:
    text = "LoginError: cannot log in with pass\x1b[1mword=\x1b[0mhunter2secret at db"
    answer = matcher.match(text)
    assert answer.secret
    assert answer.matches[0].values == {"given": "***", "host": "db"}


def test_a_credential_among_the_reasons_is_masked(matcher: Matcher) -> None:
    token = "ghp_" + "a1B2" * 9
    answer = matcher.match(f"{token}: cannot log in with password=x at db")
    assert answer.matches
    assert token not in msgspec.json.encode(answer).decode()


def test_a_text_without_credentials_is_told_so(matcher: Matcher) -> None:
    answer = matcher.match("LoginError: cannot log in with password=x at db")
    assert not answer.secret
    assert answer.matches[0].values == {"given": "x", "host": "db"}
