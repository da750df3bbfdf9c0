"""Code as HTML: every character stays, every line is whole, nothing of it is markup."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex_site.code import MAX_COLUMNS, MAX_LINES, highlight
from errdex_site.invisible import visible
from errdex_site.languages import LANGUAGES, of_file

CODE = st.text(st.sampled_from("ab fR1_=\"'`#/*-<>!&;%{}()[]\\\n.é\x1b\u202e"), max_size=200)
TAG = re.compile(r"</?i(?: class=[a-z])?>")


@given(CODE, st.sampled_from(["", *LANGUAGES]))
def test_the_text_of_highlighted_code_is_the_code(code: str, language: str) -> None:
    shown = "\n".join(html.unescape(TAG.sub("", line)) for line in highlight(code, language))
    assert shown == visible(code).expandtabs(4).rstrip(" \n")


@pytest.mark.parametrize("language", ["", *LANGUAGES])
def test_markup_after_a_letter_that_is_not_ascii_is_escaped(language: str) -> None:
    # names are told by ASCII letters, so this one begins a piece between names
    (line,) = highlight("é<script>", language)
    assert TAG.sub("", line) == "é&lt;script&gt;"


@given(CODE, st.sampled_from(["", *LANGUAGES]))
def test_every_line_closes_what_it_opens(code: str, language: str) -> None:
    for line in highlight(code, language):
        tags = TAG.findall(line)
        assert [tag[1] == "/" for tag in tags] == [False, True] * (len(tags) // 2)
        assert "<" not in TAG.sub("", line)


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", "raise X('a') # b", "k:raise t:X s:'a' c:# b"),
        ("python", 'f"{a}" 12', 's:"{a}" n:12'),
        ("python", '    and ends here.\n    """\n    x = 1', 's:and ends here. s:""" n:1'),
        ("python", 'def f():\n    """Opens', 'k:def s:"""Opens'),
        ("javascript", "throw `a\nb` // c", "k:throw s:`a s:b` c:// c"),
        ("rust", "fn f<'a>() { 'x' }", "k:fn s:'x'"),
        ("c", " * end */ int x;", "c:* end */ k:int"),
        ("sql", "-- a\nselect 'b'", "c:-- a k:select s:'b'"),
        ("", "raise 'a'", ""),
    ],
)
def test_what_is_colored(language: str, code: str, expected: str) -> None:
    lines = "\n".join(highlight(code, language))
    found = re.findall(r"<i class=(\w)>(.*?)</i>", lines)
    assert " ".join(f"{name}:{html.unescape(text).strip()}" for name, text in found) == expected


def test_a_line_that_is_too_long_says_how_much_is_missing() -> None:
    (line,) = highlight("x" * 100_000)
    assert line == "x" * MAX_COLUMNS + f"… ({100_000 - MAX_COLUMNS} more characters)"


def test_code_of_too_many_lines_is_cut() -> None:
    assert len(highlight("xx\n" * 5000)) == MAX_LINES


@pytest.mark.parametrize(
    ("path", "language"),
    [("a/b.py", "python"), ("x.tar.ts", "javascript"), ("Makefile", ""), ("a.py/b", "")],
)
def test_the_language_is_told_by_the_name_of_the_file(path: str, language: str) -> None:
    assert of_file(path) == language


def test_direction_and_control_characters_are_written_out() -> None:
    assert visible("a\u202eb\x1b[0m\x7f\ud800\r\n\tc") == "a⟨U+202E⟩b␛[0m␡⟨U+D800⟩\n\tc"
