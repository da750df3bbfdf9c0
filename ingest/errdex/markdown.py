"""A record as Markdown, for coding agents and for people who paste it somewhere.

Prose is Markdown already and stays as it is; code goes into fences that it cannot
close, and single words into code spans that they cannot leave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from errdex import outline
from errdex.records import Entry
from errdex.style import visible

_BACKTICKS = re.compile(r"`+")
_LANGUAGES = {
    "c": "c", "cc": "cpp", "cpp": "cpp", "cs": "csharp", "go": "go", "java": "java",
    "js": "js", "kt": "kotlin", "php": "php", "py": "python", "rb": "ruby", "rs": "rust",
    "sh": "sh", "swift": "swift", "ts": "ts", "tsx": "tsx",
}  # fmt: skip


def render(entry: Entry, *, address: str | None = None) -> str:
    """The whole record; `address` is its page, where there is one."""
    return "\n".join(_render(entry, address)) + "\n"


def code_span(text: str) -> str:
    """The text as one code span on one line, whatever backticks it holds."""
    flat = " ".join(visible(text).split())
    fence = "`" * (_longest_run(flat) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def code_block(text: str, language: str = "") -> str:
    """The text in a fence that it cannot close."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{visible(text)}\n{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)


def _render(entry: Entry, address: str | None) -> Iterator[str]:
    record = entry.record
    yield f"# {code_span(outline.headline(record))}"
    yield ""
    yield f"- id: `{record.id}`"
    yield f"- name: `{entry.path}`"
    if address:
        yield f"- page: <{address}>"
    for name, value in outline.facts(entry):
        yield f"- {name}: {code_span(value)}"
    language = _LANGUAGES.get(record.file_path.rpartition(".")[2].lower(), "")
    for section in outline.sections(entry):
        yield ""
        yield f"## {section.title}"
        yield ""
        yield from _section(section, language)
    yield ""
    yield "## Where it is raised"
    yield ""
    yield from _source(outline.source(record), language)


def _section(section: outline.Section, language: str) -> Iterator[str]:
    match section.kind:
        case "code":
            yield code_block("\n".join(section.items), language)
        case "diff":
            yield code_block("\n".join(section.items), "diff")
        case "prose":
            yield visible(section.items[0]).strip()
        case _:
            for number, item in enumerate(section.items, 1):
                mark = f"{number}. " if section.kind == "steps" else "- "
                yield mark + visible(item).strip().replace("\n", "\n" + " " * len(mark))


def _source(source: outline.Source, language: str) -> Iterator[str]:
    place = code_span(source.place)
    yield f"{place}: <{source.address}>" if source.address else place
    if source.lines:
        yield ""
        yield code_block("\n".join(line for _, line in source.lines), language)
