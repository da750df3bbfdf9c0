"""Passes: what a terminal would have carried out: colors, cursor moves, backspaces, NULs."""

from __future__ import annotations

from errdex.late import expression
from errdex.match.views.view import Edits, View

_APPLIES = expression(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\u200b\u2060\u2400]")
_TOKEN = expression(
    r"(?P<link>\x1b\]8;[^\x07\x1b\n]*(?:\x07|\x1b\\))"
    r"|(?P<title>\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?)"
    r"|(?P<restart>(?:\x1b\[(?:2K|1?G|[12]?J|\d{0,4}(?:;\d{0,4})?H))+)"
    r"|(?P<escape>[\x1b\x9b]\[?[0-?]*[ -/]*[@-~]?)"
    r"|(?P<erase>[^\n\x08]\x08(?!\x08))"
    r"|(?P<break>\r\x00?\n|\r(?!\x00?\n)|\x0c|\x0b|\x85)"
    r"|(?P<other>[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9a\x9c-\x9f\ufeff\u200b\u2060\u2400]+)"
)
_LOST_RESETS = ("[0m", "[39m", "[22m", "[00m")
_LOST_ESCAPE = expression(
    r"(?:\^\[|\\x1[bB]|\\u001[bB]|\\033|\\e|[\u241b\u2190\ufffd])\[[\d;]{0,20}[mK]"
    r"|\[(?:\d{1,3})(?:;\d{1,3}){0,5}m"
)
"""A color whose escape byte a viewer wrote in letters, or left out."""
_SPACED_LINE = expression(r"(?m)^(?:[^\n] ){12,}[^\n]? ?$")


def clean_controls(view: View) -> View:
    """Escape sequences and control bytes removed; every kind of line break as `\\n`.

    A carriage return alone, and an escape that starts the line anew, end a line: what
    was overwritten stays readable above. 16-bit text among 8-bit text loses its NULs.
    """
    if not _APPLIES.search(view.text):
        return view
    return view.edited(_edits(view.text), "controls")


def drop_lost_escapes(view: View) -> View:
    """Colors of which only the letters are left, as in `[31merror[0m`, removed.

    Nothing is done where none is ever switched off again.
    """
    if "[" not in view.text or not any(reset in view.text for reset in _LOST_RESETS):
        return view
    edits = [(*found.span(), "") for found in _LOST_ESCAPE.finditer(view.text)]
    return view.edited(edits, "lost escapes")


def close_up_letters(view: View) -> View:
    """16-bit text whose NULs became blanks, `V a u l t   i s`, without every other blank."""
    if "   " not in view.text or "\n" not in view.text:
        return view
    return view.edited(_blanks_between_letters(view.text), "close")


def _blanks_between_letters(text: str) -> Edits:
    for line in _SPACED_LINE.finditer(text):
        letters = text[line.start() : line.end() : 2]
        if " " not in letters.strip():
            continue  # a row of single letters, or nothing
        for at in range(line.start() + 1, line.end(), 2):
            yield at, at + 1, ""


def _edits(text: str) -> Edits:
    first = last = 0  # what is left out, until something stays
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        kind = token.lastgroup
        before = text[start - 1 : start]
        breaks = kind == "break" or (kind == "restart" and before not in ("", "\n", "\r"))
        if not breaks and start == last:
            last = end
            continue
        if last > first:
            yield first, last, ""
        first, last = start, end
        if breaks:
            yield start, end, "\n"
            first = end
    if last > first:
        yield first, last, ""
