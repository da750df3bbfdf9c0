"""The HTML that every page repeats most: boxes of code and rows of errors.

It is put together here, not in templates, since it is most of what a build writes.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from markupsafe import Markup

from errdex.database.queries import Heading
from errdex.records import Record
from errdex_site import addresses
from errdex_site.invisible import shorten

_BOX = 'tabindex="0" role="region" aria-label'


class DiffRow(NamedTuple):
    """One line of a diff: `del`, `ins` or `span`, and the line as HTML."""

    element: str
    html: str


def code_box(lines: list[str], label: str, copy: str) -> Markup:
    """Code as it stands; `copy` names the button that copies it."""
    return Markup(  # noqa: S704 # the lines come escaped from `highlight`
        f'<pre class="code" {_BOX}="{escape(label)}" data-copy="{copy}"><code>'
        + "\n".join(lines)
        + "\n</code></pre>"
    )


def numbered_box(lines: list[str], start: int | None, raised: int | None, label: str) -> Markup:
    """Code with its line numbers; `raised` is the index of the line that raises."""
    numbers = ""
    if start is not None:
        digits = list(map(str, range(start, start + len(lines))))
        if raised is not None:
            digits[raised] = f"<b>{digits[raised]}</b>"
        numbers = f'<pre class="numbers" aria-hidden="true">{chr(10).join(digits)}\n</pre>\n'
    rest = "\n".join(lines)
    if raised is not None:
        above, below = lines[:raised], lines[raised + 1 :]
        rest = "".join(f"{line}\n" for line in above)
        rest += f"<mark>{lines[raised]}\n</mark>" + "\n".join(below)
    return Markup(  # noqa: S704 # the lines come escaped from `highlight`
        f'<div class="numbered">\n{numbers}<pre {_BOX}="{escape(label)}" data-copy="snippet">'
        f"<code>{rest}\n</code></pre>\n</div>"
    )


def diff_box(rows: Iterable[DiffRow]) -> Markup:
    """A diff; only what it keeps and adds is copied."""
    lines = "".join(f"<{row.element}>{row.html}\n</{row.element}>" for row in rows)
    return Markup(  # noqa: S704 # the lines come escaped from `highlight`
        f'<pre class="code diff" {_BOX}="Before and after" data-copy="fix">'
        f"<code>{lines}</code></pre>"
    )


def items(texts: Iterable[str], copy: str = "") -> Markup:
    """Rows of a list; `copy` names the button that copies one. The texts are HTML."""
    mark = f' data-copy="{copy}"' if copy else ""
    rows = "".join([f"<li{mark}>{text}</li>\n" for text in texts])
    return Markup(rows.rstrip("\n"))  # noqa: S704 # the texts come escaped from `render_item`


def facts(record: Record, root: str) -> Markup:
    """What stands in short below the message: class, code, severity, kind, status, family."""
    shown = []
    if record.error_class:
        shown.append(f'<span class="class">{escape(shorten(record.error_class, 120))}</span>')
    if record.error_code:
        code = escape(shorten(record.error_code, 120))
        path = addresses.code_path(record.error_code)
        shown.append(f'<a href="{root}{path}">{code}</a>' if path else f"<span>{code}</span>")
    shown.append(f'<span class="{record.severity}">{record.severity}</span>')
    shown.append(f"<span>{record.error_type.replace('_', ' ')}</span>")
    if record.http_status:
        shown.append(f"<span>HTTP {record.http_status}</span>")
    if record.background_tag:
        path = addresses.family_path(record.background_tag)
        shown.append(f'<a href="{root}{path}">{escape(record.background_tag)}</a>')
    return Markup("\n".join(shown))  # noqa: S704 # escaped above


def titled(boxes: Iterable[tuple[str, Markup]]) -> Markup:
    """Boxes, each under its heading."""
    parts = [f"<h3>{title}</h3>\n{box}" for title, box in boxes]
    return Markup("\n".join(parts))  # noqa: S704 # the titles are ours


def tag_links(tags: Iterable[str], root: str) -> Markup:
    """Links to the pages of these tags."""
    links = [f'<a href="{root}{addresses.tag_path(tag)}">{escape(tag)}</a>' for tag in tags]
    return Markup(" ".join(links))  # noqa: S704 # escaped above


def error_rows(headings: Iterable[Heading], root: str, *, show_repo: bool = True) -> Markup:
    """A list of errors, each with a link and a few facts."""
    rows = []
    for row in headings:
        facts = []
        if row.severity != "error":
            facts.append(f'<span class="{row.severity}">{row.severity}</span>')
        if row.error_class:
            facts.append(f'<span class="class">{escape(shorten(row.error_class, 80))}</span>')
        if row.error_code:
            facts.append(f"<span>{escape(shorten(row.error_code, 60))}</span>")
        if show_repo:
            facts.append(f"<span>{row.repo}</span>")
        if row.retired_at:
            facts.append("<span>no longer raised</span>")
        line = f'\n<span class="facts">{"".join(facts)}</span>' if facts else ""
        message = escape(shorten(row.error_message, 220))
        path = addresses.error_path(row.repo, row.slug)
        rows.append(f'<li><a href="{root}{path}">{message}</a>{line}</li>\n')
    return Markup(f'<ul class="rows">\n{"".join(rows)}</ul>')  # noqa: S704 # escaped above
