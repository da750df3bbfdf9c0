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
    "«": '"',
    "»": '"',
    "‹": "'",
    "›": "'",
    "´": "'",
    "＂": '"',
    "＇": "'",
}
_TWICE_ENCODED = {
    "â€œ": '"',
    "â€\x9d": '"',
    "â€™": "'",
    "â€˜": "'",
    "â€“": "--",
    "â€”": "--",
    "â€¦": "...",
    "â€": '"',
    "Â\xa0": " ",
}
"""UTF-8 that was read as Windows-1252."""
_SIGNS = {ord(fancy): plain for fancy, plain in _PLAIN.items() if len(plain) == 1}
_OTHERS = expression("[" + "".join(s for s, plain in _PLAIN.items() if len(plain) != 1) + "]")
_ENCODED = expression("|".join(_TWICE_ENCODED))


def plain_typography(view: View) -> View:
    """Curly quotes, dashes, hard blanks and special hyphens as they are typed in code."""
    if view.text.isascii():
        return view
    if "â€" in view.text or "Â\xa0" in view.text:
        view = view.edited(_decoding_edits(view.text), "typography")
    if view.text.translate(_SIGNS) != view.text:
        view = view.translated(_SIGNS, "typography")
    return view.edited(_edits(view.text), "typography")


def _decoding_edits(text: str) -> Edits:
    for found in _ENCODED.finditer(text):
        yield found.start(), found.end(), _TWICE_ENCODED[found[0]]


def _edits(text: str) -> Edits:
    for found in _OTHERS.finditer(text):
        yield found.start(), found.end(), _PLAIN[found[0]]
