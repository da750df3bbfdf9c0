"""Pass: what a terminal would have carried out: colors, cursor moves, backspaces, NULs."""

from __future__ import annotations

from errdex.late import expression
from errdex.match.views.view import Edits, View

_APPLIES = expression(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\u200b\u2060]")
_TOKEN = expression(
    r"(?P<link>\x1b\]8;[^\x07\x1b\n]*(?:\x07|\x1b\\))"
    r"|(?P<title>\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?)"
    r"|(?P<restart>(?:\x1b\[(?:2K|1?G|[12]?J|\d{0,4}(?:;\d{0,4})?H))+)"
    r"|(?P<escape>[\x1b\x9b]\[?[0-?]*[ -/]*[@-~]?)"
    r"|(?P<erase>[^\n\x08]\x08(?!\x08))"
    r"|(?P<break>\r\x00?\n|\r(?!\x00?\n)|\x0c|\x0b|\x85)"
    r"|(?P<other>[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9a\x9c-\x9f\ufeff\u200b\u2060]+)"
)


def clean_controls(view: View) -> View:
    """Escape sequences and control bytes removed; every kind of line break as `\\n`.

    A carriage return alone, and an escape that starts the line anew, end a line: what
    was overwritten stays readable above. 16-bit text among 8-bit text loses its NULs.
    """
    if not _APPLIES.search(view.text):
        return view
    return view.edited(_edits(view.text), "controls")


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
