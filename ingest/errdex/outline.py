"""A record as an outline: the same sections in the same order for every text rendering.

`errdex.text` prints an outline in a terminal, `errdex.markdown` writes it as
Markdown. Neither decides what is said, or in which order; this module does.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from errdex import example
from errdex.records import Entry, Record

Kind = Literal["prose", "steps", "bullets", "code", "diff"]
"""prose: Markdown. steps and bullets: one Markdown text an item, steps being in order.
code: lines as they stand. diff: lines that begin with `- `, `+ ` or two blanks."""


class Section(NamedTuple):
    """A titled part of a record."""

    title: str
    kind: Kind
    items: list[str]
    """One text for prose, else one text an item or a line."""


class Source(NamedTuple):
    """Where the error is raised."""

    place: str
    """`path:line`, or the path alone."""
    address: str | None
    lines: list[tuple[int | None, str]]
    """The snippet with its line numbers, where they are known."""
    raised_at: int | None


def sections(entry: Entry) -> list[Section]:
    """Everything that is said about an error, but for its head and its source."""
    record = entry.record
    found = [
        Section("What it means", "prose", [record.documentation]),
        Section("When it is raised", "prose", [record.trigger_scenarios]),
        Section("How people meet it", "prose", [record.common_situations]),
        Section("Fixes", "steps", record.solutions),
        _example(record.example_fix),
        Section("Check before", "code", _lines(record.validation_code)),
        Section("Type guard", "code", _lines(record.type_guard)),
        Section("Handle it", "code", _lines(record.try_catch_pattern)),
        Section("Prevention", "bullets", record.prevention_tips),
    ]
    return [section for section in found if any(item.strip() for item in section.items)]


def source(record: Record) -> Source:
    """The raise site."""
    line, start = record.line_number, record.source_code_start
    lines = _lines(record.source_code)
    numbered = [(None if start is None else start + at, text) for at, text in enumerate(lines)]
    place = record.file_path if line is None else f"{record.file_path}:{line}"
    return Source(place, record.github_url, numbered, line)


def facts(entry: Entry) -> list[tuple[str, str]]:
    """Short facts as (name, value): what the error is filed under and where it comes from."""
    record = entry.record
    status = None if record.http_status is None else str(record.http_status)
    found = [
        ("code", record.error_code),
        ("type", record.error_type),
        ("severity", record.severity),
        ("HTTP status", status),
        ("handling", record.handling_strategy),
        ("family", record.background_tag),
        ("tags", ", ".join(record.tags)),
        ("analyzed", f"{record.analyzed_at[:10]} at {record.analyzed_sha[:12]}"),
        ("no longer raised since", entry.retired_at and entry.retired_at[:10]),
    ]
    return [(name, value) for name, value in found if value]


def headline(record: Record) -> str:
    """The message as a program prints it: its class before it where there is one."""
    if record.error_class is None:
        return record.error_message
    return f"{record.error_class}: {record.error_message}"


def _example(text: str | None) -> Section:
    """Before and after as a diff where they can be told apart, else the code as it stands."""
    found = example.changes(text) if text else []
    if not found:
        return Section("Example fix", "code", _lines(text))
    lines = []
    for change in found:
        sides = {"-": change.before, "+": change.after, " ": change.after}
        lines += [
            f"{line.sign} {sides[line.sign][line.at]}".rstrip() for line in example.diff(change)
        ]
    return Section("Example fix", "diff", lines)


def _lines(text: str | None) -> list[str]:
    return _trim(text.split("\n")) if text else []


def _trim(lines: list[str]) -> list[str]:
    """Without blank lines at either end."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []
