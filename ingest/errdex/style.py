"""How text is dressed for a terminal, or left plain for a pipe.

What comes from a record or a paste is untrusted, so nothing of it may reach a terminal
that could move the cursor, change its colors, or turn the reading direction: `visible`.
"""

from __future__ import annotations

import os
from typing import NamedTuple, TextIO

_WIDEST = 100
"""Columns; longer lines of prose tire the eye."""
_NARROWEST = 20
"""Columns of prose behind a margin, however narrow the terminal is."""
_BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)
_PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)}
_VISIBLE = (
    _PICTURES
    | {0x7F: "␡"}
    | {code: f"\\x{code:02x}" for code in range(0x80, 0xA0)}
    | {code: f"\\u{code:04x}" for code in _BIDI}
)
_FOREGROUND = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "cyan": 36}
"""Select Graphic Rendition (ECMA-48, 8.3.117)."""


class Style(NamedTuple):
    """How text is dressed."""

    color: bool = False
    links: bool = False
    width: int | None = None
    """Columns to wrap prose at; None leaves lines as long as they are."""


def style_for(stream: TextIO) -> Style:
    """Colors, links and wrapping for a terminal; none of them for a pipe."""
    if not stream.isatty():
        return Style()
    from shutil import get_terminal_size  # slow to import, and a pipe does not need it

    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    width = min(get_terminal_size().columns, _WIDEST)
    return Style(color=not plain, links=not plain, width=width)


def visible(text: str) -> str:
    """The text with control, direction and surrogate characters made visible."""
    shown = text.replace("\r\n", "\n").translate(_VISIBLE)
    return shown.encode("utf-8", "backslashreplace").decode()


def link(label: str, address: str, style: Style) -> str:
    """The label as a terminal link (OSC 8), or as it stands where links are off."""
    if not style.links:
        return label
    return f"\x1b]8;;{visible(address)}\x1b\\{label}\x1b]8;;\x1b\\"


def dress(
    text: str, style: Style, *, bold: bool = False, dim: bool = False, fg: str | None = None
) -> str:
    """The text bold, dim or in a color, where the style has colors."""
    if not style.color or not (bold or dim or fg):
        return text
    codes = [code for code, wanted in ((1, bold), (2, dim)) if wanted]
    codes += [_FOREGROUND[fg]] if fg else []
    return "".join(f"\x1b[{code}m" for code in codes) + text + "\x1b[0m"


def wrapped(
    text: str, margin: str, style: Style, *, opening: str | None = None, bold: bool = False
) -> list[str]:
    """The text behind a margin, wrapped at the style's width; `opening` stands before the
    first line instead."""
    opening = margin if opening is None else opening
    if style.width is None or not text.strip():
        lines = [opening + line for line in text.split("\n")]
    else:
        from textwrap import wrap  # slow to import, and a pipe does not need it

        lines = wrap(
            text,
            max(style.width, len(margin) + _NARROWEST),
            initial_indent=opening,
            subsequent_indent=margin,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return [dress(line, style, bold=bold) for line in lines]
