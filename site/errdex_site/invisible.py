"""Characters that a reader cannot see, made visible.

Direction marks can make code read otherwise than it runs, control characters have no place
in HTML, and a lone surrogate cannot be written as UTF-8 at all.
"""

from __future__ import annotations

import re

_INVISIBLE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for tab and line feed
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff"
    "]"
)


def visible(text: str) -> str:
    """The text with each of them written out, such as `␛` or `⟨U+202E⟩`.

    Tabs and line feeds stay, carriage returns before a line feed go.
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text  # nearly every text, told without looking at it character by character
    if _INVISIBLE.search(text) is None:
        return text
    return _INVISIBLE.sub(_written_out, text.replace("\r\n", "\n"))


def _written_out(hit: re.Match[str]) -> str:
    code = ord(hit[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def shorten(text: str, length: int) -> str:
    """The text on one line, visible, and at most this long."""
    if len(text) <= length and text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    words = " ".join(visible(text[: length * 4]).split())
    return words if len(words) <= length else words[: length - 1].rstrip() + "…"
