"""A record's Markdown: no HTML of its own, http(s) links only, placeholders marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from errdex_site.markdown import (
    MAX_LENGTH,
    _render_simple,
    mark_placeholders,
    plain,
    render,
    render_item,
)

REFERENCE = MarkdownIt("js-default")
SIMPLE = st.text(st.sampled_from("ab Z9.,:;'\"()/=+-`{}é$%?@_<>&!~#|*[]\\^"), max_size=40)


@given(SIMPLE)
def test_the_short_way_gives_what_markdown_it_gives(text: str) -> None:
    if _render_simple(text.strip(), ()) is None:
        return  # the long way: markdown-it itself, with headings lowered and fewer links
    assert render(text) == REFERENCE.render(text.strip())


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>\n"),
        ("<b>*x*</b>", "<p>&lt;b&gt;<em>x</em>&lt;/b&gt;</p>\n"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>\n"),
        ("[a](data:text/html,x)", "<p>[a](data:text/html,x)</p>\n"),
        ("[a](//evil.example)", "<p>[a](//evil.example)</p>\n"),
        ("[a](relative)", "<p>[a](relative)</p>\n"),
        ("<javascript:x>", "<p>&lt;javascript:x&gt;</p>\n"),
        (
            '[a](https://b.example/?q="x")',
            '<p><a href="https://b.example/?q=%22x%22" rel="nofollow ugc noopener">a</a></p>\n',
        ),
        (
            "![a](https://b.example/p.png)",
            '<p>!<a href="https://b.example/p.png" rel="nofollow ugc noopener">a</a></p>\n',
        ),
        ("# Big", "<h3>Big</h3>\n"),
        ("###### Small", "<h6>Small</h6>\n"),
        ("```x\n<b>\n```", '<pre tabindex="0"><code>&lt;b&gt;\n</code></pre>\n'),
        ("a\u202eb", "<p>a⟨U+202E⟩b</p>\n"),
        ("{{ x }} {% y %}", "<p>{{ x }} {% y %}</p>\n"),
    ],
)
def test_hostile_markdown_is_harmless(text: str, html: str) -> None:
    assert render(text) == html


def test_a_placeholder_is_marked_in_text_and_code_but_not_in_an_attribute() -> None:
    text = 'Set {key} to `{key}` as {other} [says](https://x.example "{key}")'
    assert render(text, {"key"}) == (
        "<p>Set <var>{key}</var> to <code><var>{key}</var></code> as {other} "
        '<a href="https://x.example" title="{key}" rel="nofollow ugc noopener">says</a></p>\n'
    )


def test_a_placeholder_whose_name_is_markup_is_escaped() -> None:
    assert mark_placeholders("{<b>}", {"<b>"}) == "{&lt;b&gt;}"


def test_an_item_of_one_paragraph_stands_without_its_tags() -> None:
    assert render_item("a `b`") == "a <code>b</code>"
    assert render_item("a\n\nb") == "<p>a</p>\n<p>b</p>"


def test_a_text_that_is_too_long_is_cut() -> None:
    assert render("x" * 100_000) == f"<p>{'x' * MAX_LENGTH} …</p>\n"


def test_a_description_is_one_line_without_marks() -> None:
    assert plain("# A `b`\n\n[c](https://d.example) e", 50) == "A b c e"
    assert plain("word " * 50, 20) == "word word word word…"
