"""A record as text for people at a terminal, or for a pipe.

A record is untrusted, so nothing of it reaches the terminal that could move the
cursor, change its colors, or turn the reading direction: see `visible`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import NamedTuple

import click

from errdex import outline
from errdex.records import Entry

_FENCE = "```"
_BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)
_PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)}
_VISIBLE = (
    _PICTURES
    | {0x7F: "␡"}
    | {code: f"\\x{code:02x}" for code in range(0x80, 0xA0)}
    | {code: f"\\u{code:04x}" for code in _BIDI}
    | {code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)}
)


class Style(NamedTuple):
    """How text is dressed."""

    color: bool = False
    links: bool = False
    width: int | None = None
    """Columns to wrap prose at; None leaves lines as long as they are."""


def visible(text: str) -> str:
    """The text with control, direction and surrogate characters made visible."""
    return text.replace("\r\n", "\n").translate(_VISIBLE)


def link(label: str, address: str, style: Style) -> str:
    """The label as a terminal link (OSC 8), or as it stands where links are off."""
    if not style.links:
        return label
    return f"\x1b]8;;{visible(address)}\x1b\\{label}\x1b]8;;\x1b\\"


def render(entry: Entry, style: Style) -> str:
    """The whole record, ending in one line break."""
    return "\n".join(_render(entry, style)) + "\n"


def _render(entry: Entry, style: Style) -> Iterator[str]:
    record = entry.record
    for line in _wrapped(visible(outline.headline(record)), "", style):
        yield _dress(line, style, bold=True)
    yield _dress(f"{record.id}  {entry.path}", style, dim=True)
    if entry.retired_at:
        notice = f"Its repo no longer raises it (since {entry.retired_at[:10]})."
        yield _dress(notice, style, fg="yellow")
    for section in outline.sections(entry):
        yield ""
        yield _dress(section.title, style, bold=True, fg="cyan")
        yield from _section(section, style)
    yield ""
    yield _dress("Where it is raised", style, bold=True, fg="cyan")
    yield from _source(outline.source(record), style)
    yield ""
    for name, value in outline.facts(entry):
        yield f"{_dress(name + ':', style, dim=True)} {visible(value)}"


def _section(section: outline.Section, style: Style) -> Iterator[str]:
    if section.kind in ("code", "diff"):
        colors = {"- ": "red", "+ ": "green"} if section.kind == "diff" else {}
        for line in section.items:
            yield "  " + _dress(visible(line), style, fg=colors.get(line[:2]))
        return
    for number, item in enumerate(section.items, 1):
        mark = {"steps": f"{number}. ", "bullets": "- "}.get(section.kind, "")
        yield from _prose(visible(item).strip(), mark, style)


def _prose(text: str, mark: str, style: Style) -> Iterator[str]:
    """Markdown as it was written, wrapped but for its code blocks; `mark` before line one."""
    margin = "  " + " " * len(mark)
    fenced = False
    for at, line in enumerate(text.split("\n")):
        opening = "  " + mark if at == 0 else margin
        fenced ^= line.lstrip().startswith(_FENCE)
        if fenced or line.startswith(("    ", "\t")) or not line.strip():
            yield (opening + line).rstrip()
        else:
            yield from _wrapped(line, margin, style, opening)


def _wrapped(text: str, margin: str, style: Style, opening: str | None = None) -> list[str]:
    opening = margin if opening is None else opening
    if style.width is None:
        return [opening + line for line in text.split("\n")]
    return textwrap.wrap(
        text,
        max(style.width, len(margin) + 20),
        initial_indent=opening,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [opening.rstrip()]


def _source(source: outline.Source, style: Style) -> Iterator[str]:
    place = visible(source.place)
    yield "  " + (link(place, source.address, style) if source.address else place)
    if source.address and not style.links:
        yield "  " + visible(source.address)
    digits = max((len(str(number)) for number, _ in source.lines if number), default=0)
    for number, line in source.lines:
        raised = number is not None and number == source.raised_at
        gutter = f"{number or '':>{digits}} {'>' if raised else '|'} "
        yield "  " + _dress((gutter + visible(line)).rstrip(), style, fg="red" if raised else None)


def _dress(
    text: str, style: Style, *, bold: bool = False, dim: bool = False, fg: str | None = None
) -> str:
    if not style.color or not (bold or dim or fg):
        return text
    return click.style(text, bold=bold or None, dim=dim or None, fg=fg)
