"""The documentation as pages of the site: the Markdown files of `docs/`, which ship with errdex.

They are ours, not a record's: links between them are followed, and headings can be linked.
Raw HTML is escaped all the same, but for comments, which are left out.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup

from errdex.resources import shipped
from errdex_site.code import highlight

_FOLDER = shipped(Path(__file__).parent / "docs", "docs")
_FRONT = "index"
_OTHERS = ("CHANGELOG", "CONTRIBUTING", "SECURITY")
"""Pages that stand beside `docs/` in a checkout, and in it in an installed errdex."""

_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?:\.\./|docs/)?([\w-]+)\.md(#[\w-]+)?\Z")
_LANGUAGES = {"bash": "shell", "console": "shell", "js": "javascript"}


class Chapter(NamedTuple):
    """One page of the documentation."""

    title: str
    body: Markup


@cache
def names() -> tuple[str, ...]:
    """Every page by its name in the address; the first one, with the name "", lists them."""
    found = {path.stem.lower() for path in _FOLDER.glob("*.md")} - {_FRONT}
    found |= {name.lower() for name in _OTHERS if _file(name.lower())}
    return ("", *sorted(found))


@cache
def chapter(name: str) -> Chapter | None:
    """The page of that name; None if there is none."""
    if name not in names():
        return None
    path = _file(name or _FRONT)
    if path is None:
        return None
    text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    title = next((line[2:] for line in text.splitlines() if line.startswith("# ")), name)
    body = _md.render(text, {"up": "../" if name else ""})
    return Chapter(title.replace("`", ""), Markup(body))  # noqa: S704 # without raw HTML


def _file(name: str) -> Path | None:
    """Where a page's Markdown is."""
    other = f"{name.upper()}.md"
    places = (_FOLDER / f"{name}.md", _FOLDER / other, _FOLDER.parent / other)
    return next((path for path in places if path.is_file()), None)


_Env = MutableMapping[str, Any]  # markdown-it's own type for what callers hand through


class _Renderer(RendererHTML):
    """markdown-it's own, but for links to other pages, headings and code."""

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env) -> str:
        link = _LINK.fullmatch(str(tokens[idx].attrGet("href")))
        if link:
            name, mark = link[1].lower(), link[2] or ""
            address = env["up"] + ("" if name == _FRONT else f"{name}/")
            tokens[idx].attrSet("href", (address or "./") + mark)
        return self.renderToken(tokens, idx, options, env)

    def heading_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env
    ) -> str:
        tokens[idx].attrSet("id", _anchor(tokens[idx + 1].content))
        return self.renderToken(tokens, idx, options, env)

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env) -> str:
        language = tokens[idx].info.strip()
        lines = highlight(tokens[idx].content, _LANGUAGES.get(language, language))
        return f'<pre tabindex="0"><code>{chr(10).join(lines)}</code></pre>\n'

    def code_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: _Env
    ) -> str:
        return f"<code>{escape(tokens[idx].content)}</code>"


def _anchor(heading: str) -> str:
    """The name that a heading is linked by; the same one that GitHub gives it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


_md = MarkdownIt("js-default", {"linkify": False}, renderer_cls=_Renderer).disable("image")
