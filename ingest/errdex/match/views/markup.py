"""Passes: HTML and Markdown links reduced to the text that a reader saw."""

from __future__ import annotations

from functools import lru_cache
from html import unescape

from errdex.late import expression
from errdex.match.views.view import Edits, View

_HTML_APPLIES = expression(r"&(?:[a-z]{2,6}|#\d{1,6}|#x[0-9a-fA-F]{1,5});|</[a-z]")
_HTML = expression(
    r"</?(?:a|b|i|u|p|br|hr|em|tt|li|ol|ul|td|th|tr|dd|dl|dt|h[1-6]|kbd|pre|div|sub|sup|code|span"
    r"|font|mark|samp|body|html|small|strong|table|thead|tbody|summary|details|blockquote)"
    r"(?:\s[^<>]{0,2000})?/?>"
    r"|&(?:amp;){0,3}((?:[a-zA-Z]{2,8}|#\d{1,6}|#[xX][0-9a-fA-F]{1,5});)",  # also escaped twice
)
_character = lru_cache(maxsize=1024)(unescape)
_LINK = expression(
    r"!?\[([^\[\]\n]{0,200})\]\(https?://[^\s()]{1,2000}\)"
    r"|<https?://[^\s<>|]{1,2000}\|([^<>|\n]{1,200})>"  # as chats write them
)
_ESCAPED_SIGN = expression(r"(?<!\\)\\([_*`\[\]<>~#|])")
_ESCAPED_SIGNS = ("\\_", "\\*", "\\`", "\\[", "\\<")
_FOLDERS = expression(r"(?<![A-Za-z])[A-Za-z]:\\\w|\\\\\w")


def strip_html(view: View) -> View:
    """Tags of text mark-up removed, entities replaced; other angle brackets stay."""
    if "<" not in view.text and "&" not in view.text:
        return view
    if not _HTML_APPLIES.search(view.text):
        return view
    return view.edited(_html_edits(view.text), "html")


def _html_edits(text: str) -> Edits:
    for found in _HTML.finditer(text):
        if found[1] is None:
            yield found.start(), found.end(), ""
            continue
        entity = "&" + found[1]
        plain = _character(entity)
        if plain != entity:
            yield found.start(), found.end(), " " if plain == "\xa0" else plain


def strip_links(view: View) -> View:
    """`[27](https://…)` becomes `27`, as build pages make links of numbers in paths."""
    if "](http" not in view.text and "<http" not in view.text:
        return view
    return view.edited(_link_edits(view.text), "links")


def _link_edits(text: str) -> Edits:
    for found in _LINK.finditer(text):
        label = 1 if found[1] is not None else 2
        yield found.start(), found.start(label), ""
        yield found.end(label), found.end(), ""


def unescape_markdown(view: View) -> View:
    """`my\\_ring` becomes `my_ring`; lines with Windows paths stay as they are."""
    if "\\" not in view.text or not any(sign in view.text for sign in _ESCAPED_SIGNS):
        return view
    return view.edited(_sign_edits(view.text), "markdown")


def _sign_edits(text: str) -> Edits:
    at = 0
    for line in text.split("\n"):
        if "\\" in line and not _FOLDERS.search(line):
            for sign in _ESCAPED_SIGN.finditer(text, at, at + len(line)):
                yield sign.start(), sign.start() + 1, ""
        at += len(line) + 1
