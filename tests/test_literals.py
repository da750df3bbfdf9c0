"""Literals that are called required are in every match of the expression."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
import re2
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errdex.literals import GiveUpError, required_literals

CASES = Path(__file__).parent / "cases"


class Case(msgspec.Struct):
    pattern: str
    literals: list[str] | None
    fold: bool = False


CASE_LIST = msgspec.json.Decoder(Case).decode_lines((CASES / "literals.jsonl").read_bytes())


@pytest.mark.parametrize("case", CASE_LIST, ids=lambda case: case.pattern)
def test_the_literals_of_an_expression(case: Case) -> None:
    if case.literals is None:
        with pytest.raises(GiveUpError):
            required_literals(case.pattern)
    else:
        assert required_literals(case.pattern) == (tuple(case.literals), case.fold)


ATOMS = st.one_of(
    st.text("abksAK .:'é0_-", min_size=1, max_size=4).map(re.escape),
    st.sampled_from(
        [".", r"\d", r"\w", r"\s", r"\b", "^", "$", "[ab]", "[^a]", "[a-k]", "[]a]", r"[\]k]",
         "[[:alpha:]]", r"\n", r"\t", "a|b", "", r"\.", "(.+?)", "(.*)", "(?i)", "(?s)"]
    ),
)  # fmt: skip
REPEATS = st.sampled_from(["", "", "", "?", "*", "+", "+?", "*?", "{2}", "{0,1}", "{1,}", "{0}"])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = st.tuples(st.sampled_from(["(", "(?:", "(?i:", "(?P<n>"]), inner).map(
        lambda pair: f"{pair[0]}{pair[1]})"
    )
    repeated = st.tuples(group, REPEATS).map("".join)
    return st.one_of(
        st.lists(inner, min_size=2, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map("|".join),
        repeated,
    )


EXPRESSIONS = st.recursive(st.tuples(ATOMS, REPEATS).map("".join), _grown, max_leaves=8)
TEXTS = st.text("abkKsSA .:'é0_-\n\tſK", max_size=30)


def _compiled(source: str) -> object:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(source, options)
    except re2.error:
        return None


def _matching(source: str, texts: list[str]) -> list[str]:
    compiled = _compiled(source)
    if compiled is None:
        return []
    return [found[0] for text in texts if (found := compiled.search(text))]  # type: ignore[attr-defined] # re2 has no types


def _lower(text: str) -> bytes:
    """ASCII case aside, as keys are taken."""
    return text.encode().lower()


@settings(max_examples=400)
@given(EXPRESSIONS, st.lists(TEXTS, min_size=1, max_size=5))
def test_each_required_literal_is_in_every_match_of_re2(source: str, texts: list[str]) -> None:
    try:
        literals, fold = required_literals(source)
    except GiveUpError:
        return
    for match in _matching(source, texts):
        for literal in literals:
            assert (_lower(literal) in _lower(match)) if fold else (literal in match)


@settings(max_examples=300)
@given(EXPRESSIONS, st.data())
def test_each_required_literal_is_in_texts_made_to_match(source: str, data: st.DataObject) -> None:
    # the texts are made with Python's re, which takes for ever on repeats within repeats
    assume(not re.search(r"\)[*+{]", source))
    try:
        literals, fold = required_literals(source)
        made = data.draw(st.from_regex(source.replace("[[:alpha:]]", "[a-z]")))
    except (GiveUpError, re.error):
        return
    for match in _matching(source, [made, made.swapcase()]):
        for literal in literals:
            assert (_lower(literal) in _lower(match)) if fold else (literal in match)
