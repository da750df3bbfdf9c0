"""The HTML that every page repeats most: boxes of code and rows of errors.

It is put together here, not in templates, since it is most of what a build writes.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from markupsafe import Markup

from errdex.database.queries import Heading
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
