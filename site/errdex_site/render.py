"""One record → the parts that its page is put together from.

Everything in a record is untrusted. What leaves this module is either `Markup`, made here
or in `markdown.py` and `code.py`, or a plain string that the template escapes.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from errdex import example
from errdex.records import Entry, Record
from errdex_site import addresses
from errdex_site.blocks import DiffRow, code_box, diff_box, items, numbered_box, titled
from errdex_site.code import highlight
from errdex_site.invisible import shorten, visible
from errdex_site.languages import of_file
from errdex_site.markdown import mark_placeholders, plain, render, render_item

MAX_MESSAGE = 4000
MAX_ITEMS = 30
MAX_CODE = 20_000
_TITLE = 160
_GENERIC_LETTERS = 10
"""A message with placeholders and fewer letters of its own wraps some other error."""

_PLACEHOLDER = re.compile(r"\{([^{}\n]{1,60})\}")
_GITHUB = "https://github.com/"


class Change(NamedTuple):
    """One before and after."""

    before_note: str
    after_note: str
    diff: Markup


class ErrorView(NamedTuple):
    """What the template of an error page shows of a record."""

    title: str
    message: Markup
    description: str
    meaning: Markup
    triggers: Markup
    situations: Markup
    solutions: Markup
    """The rows of a list."""
    changes: list[Change]
    example: Markup | None
    """The example as plain code, where before and after cannot be told apart."""
    snippet: Markup | None
    handling: Markup
    tips: Markup
    """The rows of a list."""
    place: str
    source_url: str | None
    issues_url: str | None
    generic: bool
    """Mostly placeholders: it passes another error on."""


def error_view(entry: Entry) -> ErrorView:
    """The parts of one record's page."""
    record = entry.record
    message = visible(record.error_message)
    if len(message) > MAX_MESSAGE:
        message = message[:MAX_MESSAGE] + "…"
    names = frozenset(_PLACEHOLDER.findall(message))
    language = of_file(record.file_path)
    changes = _changes(record.example_fix, language)
    place = visible(record.file_path)[:300]
    return ErrorView(
        title=shorten(message, _TITLE),
        message=mark_placeholders(message, names),
        description=plain(record.solutions[0] if record.solutions else record.documentation, 200),
        meaning=render(record.documentation, names),
        triggers=render(record.trigger_scenarios, names),
        situations=render(record.common_situations, names),
        solutions=items(_items(record.solutions, names), "fix"),
        changes=changes,
        example=None if changes else _code(record.example_fix, language, "Example fix", "fix"),
        snippet=_snippet(record, language),
        handling=titled(_handling(record, language)),
        tips=items(_items(record.prevention_tips, names)),
        place=place if record.line_number is None else f"{place}:{record.line_number}",
        source_url=_source_url(record),
        issues_url=_issues_url(record),
        generic=is_generic(record.error_message) or "wrapper" in record.tags,
    )


def _items(texts: list[str], names: frozenset[str]) -> list[str]:
    return [render_item(text, names) for text in texts[:MAX_ITEMS]]


def is_generic(message: str) -> bool:
    """Whether the message is nearly all placeholders."""
    own, placeholders = _PLACEHOLDER.subn("", message[:MAX_MESSAGE])
    return bool(placeholders) and sum(map(str.isalpha, own)) < _GENERIC_LETTERS


def structured_data(entry: Entry, view: ErrorView, base_url: str) -> Markup:
    """JSON-LD of the page. `<`, `>` and `&` are written so that nothing can close the script."""
    record = entry.record
    url = base_url + addresses.error_path(record.repo, record.slug)
    article: dict[str, object] = {
        "@type": "TechArticle",
        "headline": view.title,
        "description": view.description,
        "dateModified": record.analyzed_at,
        "keywords": record.tags,
        "about": shorten(record.error_class or record.error_type, 100),
    }
    graph = [article]
    if base_url:
        article["url"] = url
        trail = [
            ("errdex", base_url + "/"),
            (record.repo, base_url + addresses.repo_path(record.repo)),
        ]
        items = [
            {"@type": "ListItem", "position": at, "name": name, "item": item}
            for at, (name, item) in enumerate([*trail, (view.title, url)], 1)
        ]
        graph.append({"@type": "BreadcrumbList", "itemListElement": items})
    text = msgspec.json.encode({"@context": "https://schema.org", "@graph": graph}).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 # no character of it means anything in HTML


def _code(code: str | None, language: str, label: str, copy: str = "code") -> Markup | None:
    if not code or not code.strip():
        return None
    return code_box(highlight(code[:MAX_CODE].strip("\n"), language), label, copy)


def _changes(text: str | None, language: str) -> list[Change]:
    found = []
    for change in example.changes(text[:MAX_CODE]) if text else []:
        before = highlight("\n".join(change.before), language)
        after = highlight("\n".join(change.after), language)
        rows = [
            DiffRow("del", before[at])
            if sign == "-"
            else DiffRow("ins" if sign == "+" else "span", after[at])
            for sign, at in example.diff(change)
        ]
        notes = (shorten(change.before_note, 120), shorten(change.after_note, 120))
        found.append(Change(*notes, diff_box(rows)))
    return found


def _snippet(record: Record, language: str) -> Markup | None:
    code = record.source_code
    if not code or not code.strip():
        return None
    lines = highlight(code[: MAX_CODE * 3], language)
    start, line = record.source_code_start, record.line_number
    raised = None
    if start is not None and line is not None and 0 <= line - start < len(lines):
        raised = line - start
    return numbered_box(lines, start, raised, f"Source in {record.repo}")


def _handling(record: Record, language: str) -> list[tuple[str, Markup]]:
    texts = {
        "Check before": record.validation_code,
        "Type guard": record.type_guard,
        "Handle it": record.try_catch_pattern,
    }
    boxes = ((title, _code(code, language, title)) for title, code in texts.items())
    return [(title, box) for title, box in boxes if box]


def _source_url(record: Record) -> str | None:
    """The raising line itself where the host is known to name lines so."""
    url = record.github_url
    if url and url.startswith(_GITHUB) and record.line_number is not None:
        return f"{url.partition('#')[0]}#L{record.line_number}"
    return url


def _issues_url(record: Record) -> str | None:
    """A search of the repo's issues for the longest literal part of the message."""
    if not (record.github_url or "").startswith(f"{_GITHUB}{record.repo}/"):
        return None
    pieces = _PLACEHOLDER.sub("\n", visible(record.error_message)[:1000]).splitlines()
    longest = max((piece.strip(" .,:;'\"`()") for piece in pieces), key=len, default="")
    words = longest.replace('"', " ").replace("\\", " ")[:120].strip()
    return f'{_GITHUB}{record.repo}/issues?q={quote(f"""is:issue "{words}" """.strip())}'
