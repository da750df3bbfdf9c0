"""One messagePattern analysed, and wildcard patterns matched as `re` and RE2 match them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from errdex.match.verify import Occurrence, find_pieces, occurrences
from errdex.patterns import (
    Pattern,
    analyze,
    placeholder_names,
    restore,
    stand_in_for,
    template_names,
    template_pattern,
)

CASES = Path(__file__).parent / "cases"


class Case(msgspec.Struct):
    pattern: str
    kind: str
    message: str = ""
    pieces: list[str] = []
    gaps: list[int] = []
    names: list[str] | None = None


CASE_LIST = msgspec.json.Decoder(Case).decode_lines((CASES / "patterns.jsonl").read_bytes())
RECORDS = [
    json.loads(line)["record"]
    for line in (CASES / "records.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASE_LIST, ids=lambda case: case.pattern)
def test_kind_pieces_and_gaps_of_a_pattern(case: Case) -> None:
    pattern = analyze(case.pattern, case.message)
    assert (pattern.kind, list(pattern.pieces), list(pattern.gaps)) == (
        case.kind,
        case.pieces,
        case.gaps,
    )


@pytest.mark.parametrize(
    "case", [case for case in CASE_LIST if case.names is not None], ids=lambda case: case.pattern
)
def test_groups_are_called_as_the_placeholders_of_the_template(case: Case) -> None:
    assert placeholder_names(analyze(case.pattern, case.message), case.message) == case.names


@pytest.mark.parametrize("case", CASE_LIST, ids=lambda case: case.pattern)
def test_a_pattern_is_restored_from_what_the_database_keeps(case: Case) -> None:
    pattern = analyze(case.pattern, case.message)
    restored = restore(pattern.source, pattern.kind, stand_in_for(pattern, case.message))
    kept = restored._replace(literals=pattern.literals, fold=pattern.fold)
    assert kept == pattern


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("no {x} in {y}", ["x", "y"]),
        ("no {self.name!r:>10}", ["name"]),
        ("no {len(items)}", ["items"]),
        ("{x} and {x}", ["x", "x_2"]),
        ("no {} here", []),
        ("{0} and {1}", ["0", "1"]),
        ("{value=}", ["value"]),
        ("plain", []),
    ],
)
def test_names_of_a_template(message: str, names: list[str]) -> None:
    assert template_names(message) == names


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["id"]))
def test_each_pattern_of_the_cases_matches_its_own_rendered_message(
    record: dict[str, str],
) -> None:
    pattern = analyze(record["messagePattern"], record["errorMessage"])
    values = dict.fromkeys(template_names(record["errorMessage"]), "some value 7")
    message = re.sub(r"\{[^{}\n]{1,80}\}", "some value 7", record["errorMessage"])
    found = occurrences(pattern, f"x\nSomeError: {message}\ny")
    assert found, (record["messagePattern"], message)
    assert len(found[0].groups) >= len(values) or not pattern.wildcard


WILD = st.sampled_from(["(.+?)", "(.*?)", "(?P<n>.+?)"])
LITERAL = st.text("ab .(\n'é", max_size=3).map(re.escape)
LAZY = st.lists(st.one_of(LITERAL, WILD), min_size=1, max_size=6).map("".join)
GREEDY = st.lists(st.one_of(LITERAL, WILD, st.sampled_from(["(.+)", "(.*)"])), min_size=1).map(
    "".join
)
TEXTS = st.text("ab .(\n'é", max_size=24)


def _found(match: re.Match[str] | None) -> Occurrence | None:
    if match is None:
        return None
    groups = tuple(match.span(number) for number in range(1, (match.re.groups or 0) + 1))
    return Occurrence(match.start(), match.end(), groups)


@settings(max_examples=1500)
@given(LAZY, TEXTS)
def test_lazy_wildcards_are_found_where_re_finds_them(source: str, text: str) -> None:
    try:
        compiled = re.compile(source)
    except re.error:  # a name twice
        return
    pattern = analyze(source)
    assert find_pieces(pattern.pieces, pattern.gaps, text, 0) == _found(compiled.search(text))


@settings(max_examples=500)
@given(GREEDY, TEXTS)
def test_a_wildcard_pattern_matches_exactly_the_texts_that_re_says(source: str, text: str) -> None:
    try:
        match = re.compile(source).search(text)
    except re.error:
        return
    found = occurrences(analyze(source), text)
    if match is None:
        assert found == []
    elif match.end() > match.start():
        assert found[0] == _found(match)


@settings(max_examples=500)
@given(
    st.text("ab (", min_size=1, max_size=3).map(re.escape),
    st.sampled_from(["[ab]+", r"\d", "(a|b)", "a?", "^", "$", r"\b", "(?i)", "b{2}"]),
    st.text("ab (", max_size=3).map(re.escape),
    st.text("abAB (\n12", max_size=20),
)
def test_other_patterns_are_found_where_re2_finds_them(
    head: str, middle: str, tail: str, text: str
) -> None:
    source = head + middle + tail
    pattern = analyze(source)
    match = re2.compile(source).search(text)
    found = occurrences(pattern, text, limit=1)
    if match is None or match.end() == match.start():
        assert found == [] or match is not None
    else:
        assert (found[0].start, found[0].end) == match.span()


@given(st.lists(st.one_of(st.text(max_size=8), st.just("{x}")), max_size=6).map("".join))
def test_a_template_becomes_a_wildcard_pattern_that_matches_it(message: str) -> None:
    pattern = analyze(template_pattern(message))
    assert isinstance(pattern, Pattern)
    assert pattern.wildcard
    assert find_pieces(pattern.pieces, pattern.gaps, message, 0) is not None


@pytest.mark.parametrize("source", ["x*", "(a|)", "(.*?)", "^", "$", "a?"])
def test_an_empty_match_is_no_occurrence(source: str) -> None:
    assert [
        found for found in occurrences(analyze(source), "bbb") if found.end == found.start
    ] == []


def test_a_text_with_half_a_character_is_searched_all_the_same() -> None:
    (found,) = occurrences(analyze("no [a-z]+ here"), "\ud83d no file here")
    assert (found.start, found.end) == (2, 14)
