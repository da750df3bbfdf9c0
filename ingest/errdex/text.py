"""A record as text for people at a terminal, or for a pipe.

A record is untrusted, so nothing of it reaches the terminal that could move the
cursor, change its colors, or turn the reading direction: see `visible`.
"""

from __future__ import annotations

from collections.abc import Iterator

from errdex import outline
from errdex.records import Entry
from errdex.style import Style, dress, link, visible, wrapped

_FENCE = "```"


def render(entry: Entry, style: Style) -> str:
    """The whole record, ending in one line break."""
    return "\n".join(_render(entry, style)) + "\n"


def _render(entry: Entry, style: Style) -> Iterator[str]:
    record = entry.record
    for line in wrapped(visible(outline.headline(record)), "", style):
        yield dress(line, style, bold=True)
    yield dress(f"{record.id}  {entry.path}", style, dim=True)
    if entry.retired_at:
        notice = f"Its repo no longer raises it (since {entry.retired_at[:10]})."
        yield dress(notice, style, fg="yellow")
    for section in outline.sections(entry):
        yield ""
        yield dress(section.title, style, bold=True, fg="cyan")
        yield from _section(section, style)
    yield ""
    yield dress("Where it is raised", style, bold=True, fg="cyan")
    yield from _source(outline.source(record), style)
    yield ""
    for name, value in outline.facts(entry):
        yield f"{dress(name + ':', style, dim=True)} {visible(value)}"


def _section(section: outline.Section, style: Style) -> Iterator[str]:
    if section.kind in ("code", "diff"):
        colors = {"- ": "red", "+ ": "green"} if section.kind == "diff" else {}
        for line in section.items:
            yield "  " + dress(visible(line), style, fg=colors.get(line[:2]))
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
            yield from wrapped(line, margin, style, opening=opening)


def _source(source: outline.Source, style: Style) -> Iterator[str]:
    place = visible(source.place)
    yield "  " + (link(place, source.address, style) if source.address else place)
    if source.address and not style.links:
        yield "  " + visible(source.address)
    digits = max((len(str(number)) for number, _ in source.lines if number), default=0)
    for number, line in source.lines:
        raised = number is not None and number == source.raised_at
        gutter = f"{number or '':>{digits}} {'>' if raised else '|'} "
        yield "  " + dress((gutter + visible(line)).rstrip(), style, fg="red" if raised else None)
