"""Which record comes first where several could, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from errdex.match.engine import Matcher
from tests.made_records import matching, number

TWIN = {"errorMessage": "the ledger {name} is closed"}
TEXT = "the ledger main is closed"


def ids(matcher: Matcher, text: str, **options: object) -> list[int]:
    return [number(match.id) for match in matcher.match(text, **options).matches]  # type: ignore[arg-type] # limit, repo


@pytest.mark.parametrize(("stated", "first"), [("LedgerError", 0), ("StateError", 1)])
def test_twins_are_told_apart_by_class(tmp_path: Path, stated: str, first: int) -> None:
    twins = [TWIN | {"errorClass": "LedgerError"}, TWIN | {"errorClass": "StateError"}]
    with matching(tmp_path, *twins) as matcher:
        matches = matcher.match(f"app.errors.{stated}: {TEXT}").matches
    assert [number(match.id) for match in matches] == [first, 1 - first]
    assert matches[0].group < matches[1].group
    assert f"its class {stated} stands before it" in matches[0].reasons


@pytest.mark.parametrize(
    ("frame", "first"),
    [
        ('  File "/x/site-packages/books/ledger.py", line 12, in f', 0),
        ('  File "/x/site-packages/books/journal.py", line 12, in f', 1),
        ("    at f (/x/node_modules/books/journal.py:90:2)", 1),
        ("    at books.Ledger.close(ledger.py:12)", 0),
        ("   in C:\\x\\books\\journal.py:line 90", 1),
        ("books/journal.py in f(x)\n     89 y\n---> 90     raise", 1),
    ],
)
def test_twins_are_told_apart_by_the_path_of_a_frame(
    tmp_path: Path, frame: str, first: int
) -> None:
    twins = [
        TWIN | {"filePath": "books/ledger.py", "lineNumber": 12},
        TWIN | {"filePath": "books/journal.py", "lineNumber": 90},
    ]
    with matching(tmp_path, *twins) as matcher:
        assert ids(matcher, f"{frame}\nError: {TEXT}") == [first, 1 - first]


@pytest.mark.parametrize(("line", "first"), [(12, 0), (14, 0), (90, 1), (88, 1)])
def test_twins_are_told_apart_by_the_line_of_a_frame(tmp_path: Path, line: int, first: int) -> None:
    twins = [TWIN | {"filePath": "books/ledger.py", "lineNumber": at} for at in (12, 90)]
    with matching(tmp_path, *twins) as matcher:
        frame = f'  File "/x/books/ledger.py", line {line}, in f'
        assert ids(matcher, f"{frame}\nError: {TEXT}") == [first, 1 - first]


@pytest.mark.parametrize(("package", "first"), [("abacus", 0), ("counting_house", 1)])
def test_twins_are_told_apart_by_the_package_that_frames_name(
    tmp_path: Path, package: str, first: int
) -> None:
    twins = [
        TWIN | {"repo": "acme/abacus", "filePath": "src/a.py"},
        TWIN | {"repo": "acme/counting-house", "filePath": "src/b.py"},
    ]
    with matching(tmp_path, *twins) as matcher:
        frame = f'  File "/x/site-packages/{package}/other.py", line 3, in f'
        assert ids(matcher, f"{frame}\nError: {TEXT}") == [first, 1 - first]


def test_twins_without_evidence_share_a_group(tmp_path: Path) -> None:
    with matching(tmp_path, TWIN, TWIN, TWIN) as matcher:
        matches = matcher.match(f"Oops {TEXT}").matches
    assert [match.group for match in matches] == [0, 0, 0]
    assert len({match.score for match in matches}) == 1


def test_a_code_in_the_text_decides(tmp_path: Path) -> None:
    with matching(tmp_path, TWIN | {"errorCode": "L101"}, TWIN | {"errorCode": "L102"}) as matcher:
        assert ids(matcher, f"[L102] {TEXT}") == [1, 0]


def test_a_wrapper_comes_below_what_it_wraps(tmp_path: Path) -> None:
    wrapper = {"errorMessage": "Error: {message}", "errorClass": "Error"}
    with matching(tmp_path, wrapper, TWIN) as matcher:
        assert ids(matcher, f"Error: {TEXT}")[0] == 1


def test_the_longer_of_two_messages_comes_first(tmp_path: Path) -> None:
    longer = {"errorMessage": "the ledger {name} is closed since {day} by its owner"}
    with matching(tmp_path, TWIN, longer) as matcher:
        assert ids(matcher, f"{TEXT} since Monday by its owner")[0] == 1


def test_a_message_that_is_nearly_all_placeholders_is_not_claimed(tmp_path: Path) -> None:
    with matching(tmp_path, {"errorMessage": "{a}: {b}"}) as matcher:
        assert matcher.match("12:00 info: all is well").claimed == []


def test_a_repo_that_is_asked_for_is_the_only_one(tmp_path: Path) -> None:
    twins = [TWIN | {"repo": "acme/abacus"}, TWIN | {"repo": "acme/ledger"}]
    with matching(tmp_path, *twins) as matcher:
        assert ids(matcher, TEXT, repo="ACME/ledger") == [1]


def test_no_more_matches_are_given_than_asked_for(tmp_path: Path) -> None:
    with matching(tmp_path, TWIN, TWIN, TWIN) as matcher:
        assert len(ids(matcher, TEXT, limit=2)) == 2


def test_a_guess_by_words_is_never_claimed(tmp_path: Path) -> None:
    with matching(tmp_path, TWIN) as matcher:
        (match,) = matcher.match("what is a ledger?").matches
    assert (match.tier, match.claimed, match.score) == ("text", False, 0.0)


def test_a_whole_message_stands_before_a_longer_one_that_is_there_in_part(tmp_path: Path) -> None:
    long = (
        "The weights argument of the quarterly ledger should be either missing for random"
        " initialization or the path of the archive to be loaded from the accounting folder"
    )
    tail = "see the archive of the treasury department in the capital of the country"
    with matching(tmp_path, {"errorMessage": f"{long}; {tail}"}, {"errorMessage": long}) as matcher:
        matches = matcher.match(f"{long}\n{tail}").matches
    assert [(number(match.id), match.tier) for match in matches] == [(1, "exact"), (0, "partial")]
    assert matches[0].score == matches[1].score
    assert matches[0].group < matches[1].group


def test_a_class_is_seen_before_the_quotes_of_a_key_error(tmp_path: Path) -> None:
    twins = [TWIN | {"errorClass": "KeyError"}, TWIN | {"errorClass": "StateError"}]
    with matching(tmp_path, *twins) as matcher:
        first, second = matcher.match(f'KeyError: "{TEXT}"').matches
    assert (number(first.id), first.reasons[1]) == (0, "its class KeyError stands before it")
    assert second.score < first.score


def test_words_with_others_between_them_stand_behind_a_whole_message(tmp_path: Path) -> None:
    records = (
        {"errorMessage": "none of {key} are in the columns"},
        {"errorMessage": "none of [{key}] are in the [{axis}]"},
    )
    with matching(tmp_path, *records) as matcher:
        first, second = matcher.match("KeyError: none of [Index] are in the [columns]").matches
    assert (number(first.id), first.tier) == (1, "exact")
    assert second.reasons[0] == (
        "100% of its words are there, in order; something else stands between them"
    )


def test_a_ruled_line_says_nothing(tmp_path: Path) -> None:
    with matching(tmp_path, {"errorMessage": "*" * 60, "errorClass": None}) as matcher:
        answer = matcher.match(f"LookupError:\n{'*' * 70}\n  Resource punkt not found.\n")
    assert answer.claimed == []
