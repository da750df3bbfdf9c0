"""The records that ship with errdex, read and searched without a database.

They are few, so that every pattern is tried; it is the same verification that
`errdex match` uses, on the same views of the text.
"""

from __future__ import annotations

import re
from pathlib import Path

from errdex import resources
from errdex.decode import decode_line
from errdex.errors import NothingToMatch
from errdex.match.information import bits
from errdex.match.verify import occurrences
from errdex.match.views import views_of
from errdex.patterns import analyze
from errdex.records import Entry

OWN_CODE = re.compile(r"\bED\d{3}\b", re.IGNORECASE)
"""A code of errdex's own, as its messages end with it."""

_LONGEST_TEXT = 100_000
"""Characters of a pasted text that are read."""


def data_files() -> list[Path]:
    """The files of records that come with errdex, by name."""
    return sorted(resources.data_folder().glob("*.jsonl"))


def read_entries() -> list[Entry]:
    """Every record that ships, in the order of the files."""
    return [
        decode_line(line)
        for path in data_files()
        for line in path.read_bytes().split(b"\n")
        if line
    ]


def find_entry(asked: str, entries: list[Entry]) -> Entry | None:
    """The record of that code, id, `owner/repo/slug` or text; None if there is none.

    A text is about the code that it names; else about the record whose pattern it holds,
    the one with the most literal information if there are several. Raises NothingToMatch.
    """
    name = asked.strip().strip("/")
    if not name:
        raise NothingToMatch
    return _by_name(name, entries) or _by_text(asked[:_LONGEST_TEXT], entries)


def _by_name(name: str, entries: list[Entry]) -> Entry | None:
    lowered = name.lower().removeprefix("err-")
    for entry in entries:
        code = entry.record.error_code
        if lowered in (entry.record.id, entry.path.lower(), code and code.lower()):
            return entry
    return None


def _by_text(text: str, entries: list[Entry]) -> Entry | None:
    for code in OWN_CODE.findall(text):
        if found := _by_name(code, entries):
            return found
    views = [view.text for view in views_of(text)]
    holding = [entry for entry in entries if _holds(views, entry)]
    return max(holding, key=_bits, default=None)


def _holds(views: list[str], entry: Entry) -> bool:
    pattern = analyze(entry.record.message_pattern, entry.record.error_message)
    return any(occurrences(pattern, view) for view in views)


def _bits(entry: Entry) -> float:
    pattern = analyze(entry.record.message_pattern, entry.record.error_message)
    return sum(map(bits, pattern.literals))
