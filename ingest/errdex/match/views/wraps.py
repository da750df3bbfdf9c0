"""Passes: lines that something broke, joined again.

A terminal or a log shipper breaks at a fixed width, within words: the pieces are joined
as they are. A formatter breaks at blanks: the blank that was lost is put back.
"""

from __future__ import annotations

from collections.abc import Callable

from errdex.late import expression
from errdex.match.views.view import Edits, View

_NARROWEST = 40
_USUAL_WIDTHS = frozenset((72, 76, 78, 79, 80, 84, 96, 100, 120, 128, 132, 160, 200))
_SHORTEST_WRAPPED = 25
_LONG_LINE = expression(rf"(?m)^([^\n]{{{_SHORTEST_WRAPPED},}})\n")
"""A line that may have been wrapped: what is shorter ends where its writer wanted."""


def join_hard_wraps(view: View) -> View:
    """Lines of the greatest width joined with the next, if that width is a wrap's.

    It is one where at least two lines have it, or one line has a usual width. Indentation
    that both lines have is left out where they meet.
    """
    lines = view.text.split("\n")
    if len(lines) < 2:
        return view
    widths = list(map(len, lines))
    width = max(widths)
    full = widths.count(width) - (widths[-1] == width)
    if width < _NARROWEST or not full or (full < 2 and width not in _USUAL_WIDTHS):
        return view
    full_lines = _edits(view.text, lambda line, after: len(line) == width and after != "", "")
    return view.edited(full_lines, "hard", joining=True)


def join_soft_wraps(view: View) -> View:
    """A line joined with the next where its first word would not have fitted before.

    That is: the next line, without its indentation, is no longer than this one with the word.
    """
    if "\n" not in view.text:
        return view
    return view.edited(_edits(view.text, _continues, " "), "soft", joining=True)


def _continues(line: str, after: str) -> bool:
    if line.isspace():
        return False
    words = after.split(None, 1)
    return bool(words) and len(line) + 1 + len(words[0]) >= len(after.strip())


def _edits(text: str, joins: Callable[[str, str], bool], between: str) -> Edits:
    """Each break between two lines that are to be joined, with the indentation behind it."""
    for found in _LONG_LINE.finditer(text):
        at = found.end(1)
        end = text.find("\n", at + 1)
        after = text[at + 1 : end if end >= 0 else len(text)]
        if joins(found[1], after):
            indent = len(after) - len(after.lstrip(" \t"))
            if not between and not found[1].startswith(after[:indent]):
                indent = 0
            yield at, at + 1 + indent, "" if found[1].endswith(" ") else between
