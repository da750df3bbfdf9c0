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
from errdex_site.code import highlight, of_file
from errdex_site.invisible import visible
from errdex_site.markdown import mark_placeholders, plain, render, render_item

MAX_MESSAGE = 4000
MAX_ITEMS = 30
MAX_CODE = 20_000
_TITLE = 160
_GENERIC_LETTERS = 10
"""A message with placeholders and fewer letters of its own wraps some other error."""

_PLACEHOLDER = re.compile(r"\{([^{}\n]{1,60})\}")
_GITHUB = "https://github.com/"


class DiffRow(NamedTuple):
    """One line of a diff: `del`, `ins` or nothing, and the line."""

    change: str
    html: Markup


class Change(NamedTuple):
    """One before and after."""

    before_note: str
    after_note: str
    rows: list[DiffRow]


class Snippet(NamedTuple):
    """The code around the raise site."""

    numbers: list[int]
    """Empty when the snippet's place in its file is not known."""
    lines: list[Markup]
    raised: int | None
    """Which of `lines` raises, from 0; None when that is not known."""


class ErrorView(NamedTuple):
    """What the template of an error page shows of a record."""

    title: str
    message: Markup
    description: str
    meaning: Markup
    triggers: Markup
    situations: Markup
    solutions: list[Markup]
    changes: list[Change]
    example: list[Markup]
    """The example as plain code, where before and after cannot be told apart."""
    snippet: Snippet | None
    handling: list[tuple[str, list[Markup]]]
    tips: list[Markup]
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
        solutions=[render_item(text, names) for text in record.solutions[:MAX_ITEMS]],
        changes=changes,
        example=[] if changes else _code(record.example_fix, language),
        snippet=_snippet(record, language),
        handling=_handling(record, language),
        tips=[render_item(text, names) for text in record.prevention_tips[:MAX_ITEMS]],
        place=place if record.line_number is None else f"{place}:{record.line_number}",
        source_url=_source_url(record),
        issues_url=_issues_url(record),
        generic=is_generic(record.error_message),
    )


def shorten(text: str, length: int) -> str:
    """The text on one line, visible, and at most this long."""
    words = " ".join(visible(text[: length * 4]).split())
    return words if len(words) <= length else words[: length - 1].rstrip() + "…"


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


def _code(code: str | None, language: str) -> list[Markup]:
    return highlight(code[:MAX_CODE].strip("\n"), language) if code and code.strip() else []


def _changes(text: str | None, language: str) -> list[Change]:
    found = []
    for change in example.changes(text[:MAX_CODE]) if text else []:
        before = highlight("\n".join(change.before), language)
        after = highlight("\n".join(change.after), language)
        rows = []
        for sign, at in example.diff(change):
            if sign == "-":
                rows.append(DiffRow("del", before[at]))
            else:
                rows.append(DiffRow("ins" if sign == "+" else "", after[at]))
        notes = (shorten(change.before_note, 120), shorten(change.after_note, 120))
        found.append(Change(*notes, rows))
    return found


def _snippet(record: Record, language: str) -> Snippet | None:
    lines = _snippet_lines(record, language)
    if not lines:
        return None
    start, line = record.source_code_start, record.line_number
    if start is None:
        return Snippet([], lines, None)
    raised = line - start if line is not None and 0 <= line - start < len(lines) else None
    return Snippet(list(range(start, start + len(lines))), lines, raised)


def _snippet_lines(record: Record, language: str) -> list[Markup]:
    code = record.source_code
    return highlight(code[: MAX_CODE * 3], language) if code and code.strip() else []


def _handling(record: Record, language: str) -> list[tuple[str, list[Markup]]]:
    found = [
        ("Check before", _code(record.validation_code, language)),
        ("Type guard", _code(record.type_guard, language)),
        ("Handle it", _code(record.try_catch_pattern, language)),
    ]
    return [(title, lines) for title, lines in found if lines]


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
