"""A message that is there in part is found, and called by what is missing."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex.match.partial import align, relaxed
from errdex.patterns import analyze
from tests.made_records import matching

MESSAGE = "could not reserve {count} pages for tenant {name} in region {region}"


class Case(msgspec.Struct):
    name: str
    text: str
    tier: str | None
    claimed: bool


PATH = Path(__file__).parent / "cases" / "partial.jsonl"
CASE_LIST = msgspec.json.Decoder(Case).decode_lines(PATH.read_bytes())


@pytest.mark.parametrize("case", CASE_LIST, ids=lambda case: case.name)
def test_how_a_message_is_found(tmp_path: Path, case: Case) -> None:
    with matching(tmp_path, {"errorMessage": MESSAGE, "errorClass": "OutOfPages"}) as matcher:
        answer = matcher.match(case.text)
    assert [match.tier for match in answer.claimed] == ([case.tier] if case.claimed else [])
    assert all(0 < match.coverage <= 1 for match in answer.claimed)


WORDS = st.sampled_from(["ab", "cde", "fghij", "k", "'", " ", "\n", "é", "ab cde"])
TEXTS = st.lists(WORDS, max_size=20).map("".join)


@given(st.lists(st.one_of(WORDS, st.just("(.+?)")), min_size=1, max_size=8).map("".join), TEXTS)
def test_alignments_lie_in_the_text_with_their_groups_in_order(source: str, text: str) -> None:
    pattern = analyze(source)
    for found in [*relaxed(pattern, text), *align(pattern, text)]:
        assert 0 <= found.occurrence.start <= found.occurrence.end <= len(text)
        assert 0 <= found.coverage <= 1
        assert len(found.occurrence.groups) == len(pattern.gaps)
        taken = [group for group in found.occurrence.groups if group != (-1, -1)]
        assert all(0 <= start <= end <= len(text) for start, end in taken)
        assert [end for _, end in taken] == sorted(end for _, end in taken)


@given(st.lists(WORDS, min_size=2, max_size=6), st.data())
def test_all_words_in_order_are_full_coverage(words: list[str], data: st.DataObject) -> None:
    pattern = analyze("(.+?)".join(words))
    text = "".join(word + data.draw(st.sampled_from(["", "x", " y\n"])) for word in words)
    assert any(found.coverage == 1.0 for found in relaxed(pattern, text))
