"""Fuzzing the matcher: any text has an answer that is in order and lies in the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from errdex.match.answers import Answer
from errdex.match.engine import Matcher
from tests.fuzz.inputs import RECORDS, a_share, any_text, pastes

REPOS = sorted({record["repo"] for record in RECORDS})
TAGS = sorted({tag for record in RECORDS for tag in record["tags"]})


def hold(answer: Answer, text: str, limit: int) -> None:
    """Assert all that an answer promises whatever the text."""
    matches = answer.matches
    assert len(matches) <= limit
    assert len({match.id for match in matches}) == len(matches)
    order = [(not match.claimed, -match.score) for match in matches]
    assert order == sorted(order)
    assert [match.group for match in matches] == sorted(match.group for match in matches)
    for match in matches:
        assert 0 <= match.score <= 1
        assert 0 <= match.coverage <= 1
        assert 1 <= match.line <= text.count("\n") + 1
        assert match.reasons
        for span in match.spans:
            assert 0 <= span.start < span.end <= len(text)
        if match.tier == "text":
            assert not match.claimed


@a_share(2)
@given(st.one_of(any_text, pastes), st.integers(1, 30))
def test_any_text_has_an_answer_that_lies_in_it(
    case_matcher: Matcher, text: str, limit: int
) -> None:
    hold(case_matcher.match(text, limit=limit), text, limit)


@given(pastes, st.sampled_from(REPOS), st.lists(st.sampled_from(TAGS), max_size=2))
def test_a_repo_and_tags_narrow_any_answer(
    case_matcher: Matcher, text: str, repo: str, tags: list[str]
) -> None:
    answer = case_matcher.match(text, repo=repo, tags=tags)
    hold(answer, text, 10)
    known = {record["id"]: record for record in RECORDS}
    for match in answer.matches:
        assert match.repo == repo
        assert set(tags) <= set(known[match.id]["tags"])


@given(pastes)
def test_the_same_text_has_the_same_answer(case_matcher: Matcher, text: str) -> None:
    assert case_matcher.match(text) == case_matcher.match(text)
