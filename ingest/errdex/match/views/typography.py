"""Pass: what mail programs and word processors make of quotes, dashes and blanks."""

from __future__ import annotations

from collections.abc import Iterator

from errdex.late import expression
from errdex.match.views.view import Edit, View

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
_FANCY = expression("[" + "".join(_PLAIN) + "]")


def plain_typography(view: View) -> View:
    """Curly quotes, dashes, hard blanks and special hyphens as they are typed in code."""
    if view.text.isascii():
        return view
    return view.edited(_edits(view.text), "typography")


def _edits(text: str) -> Iterator[Edit]:
    for found in _FANCY.finditer(text):
        yield Edit(found.start(), found.end(), _PLAIN[found[0]])
