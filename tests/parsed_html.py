"""A page as a browser reads it, and what pages of ours are made of, for tests of rendering."""

from __future__ import annotations

import re
from html.parser import HTMLParser

ELEMENTS = frozenset(
    {"html", "head", "meta", "title", "link", "script", "body", "a", "header", "nav", "main",
     "article", "section", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li",
     "dl", "dt", "dd", "div", "span", "strong", "em", "s", "code", "pre", "mark", "del", "ins",
     "blockquote", "var", "i", "b", "hr", "br", "table", "thead", "tbody", "tr", "th", "td",
     "time", "form", "label", "textarea", "button", "noscript"}
)  # fmt: skip
ATTRIBUTES = frozenset(
    {"lang", "charset", "name", "content", "http-equiv", "property", "rel", "href", "type",
     "title", "src", "class", "id", "role", "start", "style", "data-copy", "aria-label",
     "aria-hidden", "aria-live", "tabindex", "datetime", "for", "rows", "spellcheck",
     "autocomplete", "autocapitalize", "required", "placeholder", "data-languages", "method",
     "action"}
)  # fmt: skip
STYLES = re.compile(r"text-align:(?:left|center|right)")
"""The one style that Markdown's tables set; the pages' policy lets no other act either."""
INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff]")
_VOID = {"meta", "link", "br", "hr"}
_CLOSED_BY_ITSELF = {"li", "p", "dt", "dd", "tr", "td", "th", "thead", "tbody", "html", "body"}
"""Elements whose end HTML lets one leave out."""


class Parsed(HTMLParser):
    """What a browser would make of a page or a part of one."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.faults: list[str] = []
        """Elements that are closed where they are not open, or never."""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self._required(self._open)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self._open:
            self.faults.append(f"</{tag}> closes nothing")
            return
        at = len(self._open) - 1 - self._open[::-1].index(tag)
        self.faults += [
            f"<{inner}> is open at </{tag}>" for inner in self._required(self._open[at + 1 :])
        ]
        del self._open[at:]

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] == "script":
            self.scripts.append(data)

    def _required(self, tags: list[str]) -> list[str]:
        return [tag for tag in tags if tag not in _CLOSED_BY_ITSELF]

    def strangers(self) -> list[str]:
        """Elements, attributes and addresses that no page of ours has."""
        found = [tag for tag, _ in self.elements if tag not in ELEMENTS]
        for tag, attributes in self.elements:
            found += [f"<{tag} {name}>" for name in attributes if name not in ATTRIBUTES]
            style = attributes.get("style")
            if style is not None and not STYLES.fullmatch(style):
                found.append(f'<{tag} style="{style}">')
            for name in ("href", "src", "action"):
                link = attributes.get(name)
                if link is not None and not re.match(r"https?://|\.|/|#|record\.json", link):
                    found.append(f"<{tag} {name}={link}>")
        return found
