"""What the terminal, or the pipe, that a command writes to can show."""

from __future__ import annotations

import os
import shutil
from typing import TextIO

from errdex.text import Style

_WIDEST = 100
"""Columns; longer lines of prose tire the eye."""


def style_for(stream: TextIO) -> Style:
    """Colors, links and wrapping for a terminal; none of them for a pipe."""
    if not stream.isatty():
        return Style()
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    return Style(color=not plain, links=not plain, width=width)
