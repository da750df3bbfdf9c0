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


@pytest.mark.parametrize(
    ("behind", "cut"),
    [
        ("a value that goes on to the end of the text", True),
        ("a value\n", True),
        ("a value\nand another line that is of something else", False),
        ("a value" * 100, False),
    ],
)
def test_what_ends_in_a_value_is_cut_off_if_the_text_ends_there(behind: str, cut: bool) -> None:
    pattern = analyze("no quorum for shard (.+?), members are (.+?) and nobody else")
    (found,) = {one.cut for one in align(pattern, f"no quorum for shard {behind}")}
    assert found is cut


def test_a_full_stop_far_behind_is_no_part_of_a_message_that_is_cut_off() -> None:
    pattern = analyze("no quorum for shard (.+?), members are (.+?) and nobody else\\.")
    found = max(align(pattern, "no quorum for shard a.b"), key=lambda one: one.coverage)
    assert (found.occurrence.end, found.cut) == (len("no quorum for shard"), True)
