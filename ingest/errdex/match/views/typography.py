"""Pass: what mail programs and word processors make of quotes, dashes and blanks."""

from __future__ import annotations

from errdex.late import expression
from errdex.match.views.view import Edits, View

_PLAIN = {
    "“": '"',
    "”": '"',
    "„": '"',
    "‟": '"',
    "″": '"',
    "‘": "'",
    "’": "'",
    "‚": "'",
    "‛": "'",
    "′": "'",
    "\xa0": " ",
    "\u202f": " ",
    "\u2009": " ",
    "\u2003": " ",
    "\u2002": " ",
    "\u3000": " ",
    "\u00ad": "",
    "‑": "-",
    "‐": "-",
    "−": "-",
    "–": "--",
    "—": "--",
    "…": "...",
}
_SIGNS = {ord(fancy): plain for fancy, plain in _PLAIN.items() if len(plain) == 1}
_OTHERS = expression("[" + "".join(s for s, plain in _PLAIN.items() if len(plain) != 1) + "]")


def plain_typography(view: View) -> View:
    """Curly quotes, dashes, hard blanks and special hyphens as they are typed in code."""
    if view.text.isascii():
        return view
    if view.text.translate(_SIGNS) != view.text:
        view = view.translated(_SIGNS, "typography")
    return view.edited(_edits(view.text), "typography")


def _edits(text: str) -> Edits:
    for found in _OTHERS.finditer(text):
        yield found.start(), found.end(), _PLAIN[found[0]]
