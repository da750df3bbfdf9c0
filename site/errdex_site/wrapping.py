"""What an error is raised in place of: the exceptions that are being handled where it is raised.

Told by the snippet alone: above the raising line, and indented less than what is below it,
stands the `except`, `catch` or `rescue` that leads there, with the classes it catches.
"""

from __future__ import annotations

import re

_HANDLER = re.compile(
    r"except\s+(?P<python>[^:#]{1,200}?)(?:\s+as\s+\w+)?\s*:"
    r"|\}?\s*catch\s*\((?P<braces>[^()]{1,200})\)"
    r"|rescue\s+(?P<ruby>[^=#]{1,200}?)(?:\s*=>.{0,80})?\Z"
)
_CLASS = re.compile(r"\b(?:[A-Za-z_]\w*[.:]{1,2})*([A-Z]\w*)\b")
_GENERIC = frozenset(
    ["BaseException", "Exception", "Error", "Throwable", "StandardError", "RuntimeException"]
)
_MOST_CLASSES = 4
_LONGEST_LINE = 400
_MARKS = ("except", "catch", "rescue")


def caught(code: str | None, start: int | None, line: int | None) -> tuple[str, ...]:
    """The names of the classes that are caught around the line, without their packages; those
    that say nothing are left out. The code begins at the line `start`."""
    if code is None or start is None or line is None or not any(m in code for m in _MARKS):
        return ()
    lines = code.split("\n")
    at = line - start
    if not 0 < at < len(lines):
        return ()
    depth = _depth(lines[at])
    for text in reversed(lines[:at]):
        if not text.strip() or _depth(text) >= depth:
            continue
        depth = _depth(text)
        handler = _HANDLER.match(text.strip()[:_LONGEST_LINE])
        if handler:
            names = _CLASS.findall(next(filter(None, handler.groups()), ""))
            return tuple(name for name in names if name not in _GENERIC)[:_MOST_CLASSES]
    return ()


def _depth(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
