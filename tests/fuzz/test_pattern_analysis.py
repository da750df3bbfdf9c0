"""Fuzzing pattern analysis: any messagePattern is filed, restored and searched for safely.

That what is found is what a regex engine finds is tested in `tests/test_patterns.py`.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from errdex.literals import GiveUpError, required_literals
from errdex.match.verify import occurrences
from errdex.patterns import analyze, placeholder_names, restore, stand_in_for, template_names
from tests.fuzz.inputs import RECORDS, a_share, text_with_halves

TOKENS = (
    "(.+?)", "(.*?)", "(.+)", "(.*)", "(?P<a>.+?)", "(", ")", "(?:", "(?i)", "(?=", "(?!", "(?<=",
    "(?<!", "[", "]", "[^", "{", "}", "{2}", "{0,1000}", "{9999}", "*", "+", "?", "+?", "|", "^",
    "$", ".", "\\", "\\d", "\\w+", "\\b", "\\1", "\\Q", "\\E", "\\x41", "\\pL", "\\n", "\\.", " ",
    "no file ", "'", "é", "\x00", "\n", "{name}", "{name!r:>10}", "{}",
)  # fmt: skip
sources = st.one_of(
    st.lists(st.one_of(st.sampled_from(TOKENS), text_with_halves), max_size=14).map("".join),
    st.sampled_from([record["messagePattern"] for record in RECORDS]),
)
messages = st.one_of(
    st.lists(st.one_of(st.sampled_from(TOKENS), st.text(max_size=4)), max_size=8).map("".join),
    st.sampled_from([record["errorMessage"] for record in RECORDS]),
)
searched = st.lists(
    st.one_of(st.sampled_from(["no file ", "'", "é", "A", "\n", " ", "x" * 50]), text_with_halves),
    max_size=12,
).map("".join)


@a_share(4)
@given(sources, messages)
def test_any_pattern_is_analyzed_and_restored_from_what_the_database_keeps(
    source: str, message: str
) -> None:
    pattern = analyze(source, message)
    assert pattern.source == source
    assert len(pattern.gaps) == max(0, len(pattern.pieces) - 1)
    again = restore(source, pattern.kind, stand_in_for(pattern, message))
    assert (again.kind, again.pieces, again.gaps) == (pattern.kind, pattern.pieces, pattern.gaps)


@a_share(4)
@given(sources, messages, searched, st.integers(1, 3))
def test_occurrences_lie_in_the_text_in_order_with_their_groups(
    source: str, message: str, text: str, limit: int
) -> None:
    pattern = analyze(source, message)
    found = occurrences(pattern, text, limit)
    assert len(found) <= limit
    starts = [occurrence.start for occurrence in found]
    assert starts == sorted(set(starts))  # one may begin within another
    for start, end, groups in found:
        assert 0 <= start < end <= len(text)
        for group_start, group_end in groups:
            if (group_start, group_end) != (-1, -1):  # a group that took no part
                assert start <= group_start <= group_end <= end


@given(sources, messages)
def test_names_of_placeholders_are_distinct_whatever_the_template(
    source: str, message: str
) -> None:
    pattern = analyze(source, message)
    names = placeholder_names(pattern, message) if pattern.wildcard else template_names(message)
    assert len(names) == len(set(names))


def lowered(text: str) -> str:
    """ASCII case aside, as keys are taken."""
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


@a_share(4)
@given(sources, searched)
def test_required_literals_are_in_every_occurrence_or_the_source_is_given_up(
    source: str, text: str
) -> None:
    try:
        literals, fold = required_literals(source)
    except GiveUpError:
        return
    for start, end, _ in occurrences(analyze(source), text, 3):
        found = text[start:end]
        for literal in literals:
            assert (lowered(literal) in lowered(found)) if fold else (literal in found)
