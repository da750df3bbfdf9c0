"""Pass: HTML and Markdown links reduced to the text that a reader saw."""

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
    r"|(&(?:[a-zA-Z]{2,8}|#\d{1,6}|#x[0-9a-fA-F]{1,5});)",
)
_character = lru_cache(maxsize=1024)(unescape)
_LINK = expression(r"!?\[([^\[\]\n]{0,200})\]\(https?://[^\s()]{1,2000}\)")


def strip_html(view: View) -> View:
    """Tags of text mark-up removed, entities replaced; other angle brackets stay."""
    if "<" not in view.text and "&" not in view.text:
        return view
    if not _HTML_APPLIES.search(view.text):
        return view
    return view.edited(_html_edits(view.text), "html")


def _html_edits(text: str) -> Edits:
    for found in _HTML.finditer(text):
        entity = found[1]
        if entity is None:
            yield found.start(), found.end(), ""
            continue
        plain = _character(entity)
        if plain != entity:
            yield found.start(), found.end(), " " if plain == "\xa0" else plain


def strip_links(view: View) -> View:
    """`[27](https://…)` becomes `27`, as build pages make links of numbers in paths."""
    if "](http" not in view.text:
        return view
    return view.edited(_link_edits(view.text), "links")


def _link_edits(text: str) -> Edits:
    for found in _LINK.finditer(text):
        yield found.start(), found.start(1), ""
        yield found.end(1), found.end(), ""
