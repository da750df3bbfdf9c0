"""A record's Markdown → HTML: no raw HTML, http(s) links only, placeholders marked.

Everything here is untrusted. markdown-it's `js-default` escapes raw HTML; images are off,
since they would be fetched from another host.
"""

from __future__ import annotations

import re
from collections.abc import Collection, MutableMapping, Sequence
from html import escape
from typing import Any, cast

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup

from errdex_site.invisible import visible

MAX_LENGTH = 8000
"""Longer texts are cut; the record itself keeps all of it."""

_MARKS = re.compile(r"\]\([^)]{0,300}\)|[`*#>\[\]]")
_NAMES = "placeholders"
_PLACEHOLDER = re.compile(r"\{([^{}\n]{1,60})\}")
# One line of words, perhaps with `code` in it, is most of what records hold. Rendering it
# here gives the same as markdown-it in a twentieth of the time (a test compares them).
_PLAIN = (
    r"(?:[^\x00-\x1f`\\*_\[\]<&!~]++|<(?=[ =\d])|&(?= )|!(?!\[)|~(?!~)"
    # within a word, or where emphasis may begin and none can end
    r"|(?:(?<=[A-Za-z0-9])|(?<![^ (]))_++(?=[A-Za-z0-9]))++"
)
_SIMPLE = re.compile(rf"(?![\d>#|~+=: -]){_PLAIN}(?:`[^`\x00-\x1f]++`(?:{_PLAIN})?)*+")

_Env = MutableMapping[str, Any]  # markdown-it's own type for what callers hand through


def render(text: str, placeholders: Collection[str] = ()) -> Markup:
    """The text as blocks. `{name}` of a placeholder becomes `<var>`, to be filled in."""
    return Markup(_render(text, placeholders))  # noqa: S704 # without raw HTML


def render_item(text: str, placeholders: Collection[str] = ()) -> Markup:
    """The text for a list item: a single paragraph stands without its tags."""
    html = _render(text, placeholders).strip()
    inner = html.removeprefix("<p>").removesuffix("</p>")
    single = html.startswith("<p>") and "<p>" not in inner and "\n<" not in inner
    return Markup(inner if single else html)  # noqa: S704 # without raw HTML


def _render(text: str, placeholders: Collection[str]) -> str:
    text = _bounded(text)
    simple = _render_simple(text, placeholders)
    return f"<p>{simple}</p>\n" if simple is not None else _md.render(text, {_NAMES: placeholders})


def plain(text: str, length: int) -> str:
    """The text on one line without its Markdown, for descriptions."""
    bare = _MARKS.sub("", visible(text[: length * 2]))
    words = " ".join(bare.split())
    return words if len(words) <= length else words[: length - 1].rstrip() + "…"


def mark_placeholders(text: str, placeholders: Collection[str]) -> Markup:
    """The text escaped, with `{name}` of each placeholder as `<var>`."""
    return Markup(_marked(text, placeholders))  # noqa: S704 # escaped


def _marked(text: str, placeholders: Collection[str]) -> str:
    html = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if placeholders and "{" in html:
        html = _PLACEHOLDER.sub(lambda hit: _variable(hit, placeholders), html)
    return html


def _variable(hit: re.Match[str], placeholders: Collection[str]) -> str:
    return f"<var>{hit[0]}</var>" if hit[1] in placeholders else hit[0]


def _bounded(text: str) -> str:
    text = visible(text).strip()
    return text if len(text) <= MAX_LENGTH else text[:MAX_LENGTH].rstrip() + " …"


def _render_simple(text: str, placeholders: Collection[str]) -> str | None:
    if _SIMPLE.fullmatch(text) is None:
        return None
    if "`" not in text:
        return _quoted(text, placeholders)
    pieces = text.split("`")
    for code in pieces[1::2]:
        if code[0] == " " or code[-1] == " ":
            return None
    html = [_quoted(piece, placeholders) for piece in pieces]
    html[1::2] = [f"<code>{piece}</code>" for piece in html[1::2]]
    return "".join(html)


def _quoted(text: str, placeholders: Collection[str]) -> str:
    """As `mark_placeholders`, with quotes written as markdown-it writes them."""
    return _marked(text, placeholders).replace('"', "&quot;")


class _Renderer(RendererHTML):
    """markdown-it's own, but for what stands at a placeholder, a link, a heading, a code block."""

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env) -> str:
        return _quoted(tokens[idx].content, cast("Collection[str]", env[_NAMES]))

    def code_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env
    ) -> str:
        return f"<code>{_quoted(tokens[idx].content, cast('Collection[str]', env[_NAMES]))}</code>"

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env) -> str:
        tokens[idx].attrSet("rel", "nofollow ugc noopener")
        return self.renderToken(tokens, idx, options, env)

    def heading_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env
    ) -> str:
        tokens[idx].tag = _lowered(tokens[idx].tag)
        return self.renderToken(tokens, idx, options, env)

    heading_close = heading_open

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env) -> str:
        return f'<pre tabindex="0"><code>{escape(tokens[idx].content)}</code></pre>\n'

    code_block = fence


def _lowered(tag: str) -> str:
    """Headings of a record stand below those of the page."""
    return f"h{min(6, int(tag[1:]) + 2)}"


def _http_only(address: str) -> bool:
    return address.lower().startswith(("http://", "https://"))


_md = MarkdownIt("js-default", renderer_cls=_Renderer).disable("image")
_md.validateLink = _http_only  # type: ignore[assignment] # its documented way; only the parameter's name differs
