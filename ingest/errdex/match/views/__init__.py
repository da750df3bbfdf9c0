"""A paste, read in a few alternative ways; one concern a module.

A pass takes a view and gives another, or the same one where it does not apply. Nothing
is decided here: a pattern may match any of the views, and the raw text is always one.
"""

from __future__ import annotations

from collections.abc import Callable

from errdex.match.views.controls import clean_controls, close_up_letters, drop_lost_escapes
from errdex.match.views.heads import strip_heads
from errdex.match.views.markup import strip_html, strip_links, unescape_markdown
from errdex.match.views.prefixes import strip_prefixes, strip_right_column
from errdex.match.views.quoting import decode_escapes, unescape_json, unquote_csv, unquote_python
from errdex.match.views.streams import drop_blank_lines, split_streams
from errdex.match.views.typography import plain_typography
from errdex.match.views.view import View
from errdex.match.views.wraps import join_hard_wraps, join_soft_wraps

Pass = Callable[[View], View]

CLEANING: tuple[Pass, ...] = (
    clean_controls,
    drop_lost_escapes,
    close_up_letters,
    strip_html,
    strip_links,
    unescape_markdown,
    plain_typography,
)
"""What was not text in the first place."""
LINES: tuple[Pass, ...] = (split_streams, strip_prefixes, strip_right_column, drop_blank_lines)
"""Each line as its program wrote it."""
QUOTING: tuple[Pass, ...] = (unescape_json, unescape_json, unquote_csv, unquote_python)
"""Text that other text was put into."""

__all__ = ["View", "views_for_parts", "views_of"]


def views_of(text: str) -> list[View]:
    """The readings of a paste, each once, the cleanest first.

    The first view that a pattern matches is the one that its values are read from.
    """
    raw = View(text)
    controls = clean_controls(raw)
    clean = controls
    for cleaning in CLEANING[1:]:
        clean = cleaning(clean)
    lines = _through(LINES, clean)
    quoted = _through(QUOTING, lines)
    found = [quoted, lines, clean, controls, raw]
    if quoted is not lines:
        quoted = drop_lost_escapes(clean_controls(quoted))  # they were escaped in a string
        found[:1] = [_through(LINES, quoted), quoted]
    if "\n" in clean.text:
        found += _of_lines(clean, lines, quoted)
    elif quoted is not lines:
        found.append(join_soft_wraps(quoted))
    found.append(decode_escapes(quoted))
    return _distinct(found)


def _of_lines(clean: View, lines: View, quoted: View) -> list[View]:
    """The readings that only a text of several lines has."""
    headless = _without_heads(clean, lines)
    unwrapped = join_hard_wraps(clean)
    hard = _through(LINES, unwrapped) if unwrapped is not clean else clean
    found = [headless, hard]
    if lines is not clean:
        found.append(join_hard_wraps(lines))
    found += [join_soft_wraps(view) for view in (quoted, lines, hard)]
    if headless is not lines:
        found.append(join_soft_wraps(headless))
    return found


def views_for_parts(views: list[View]) -> list[View]:
    """The views that parts of patterns are looked for in: the cleanest, and two of those
    whose lines were joined. Parts need no more: they are found despite some dirt."""
    return [views[0], *[view for view in views[1:] if view.joins][:2]]


def _without_heads(clean: View, lines: View) -> View:
    """The lines without what they share, before known prefixes are off and behind those."""
    first = strip_heads(clean)
    if first is not clean:
        lines = _through(LINES, first)
    return strip_heads(lines)


def _through(passes: tuple[Pass, ...], view: View) -> View:
    for one in passes:
        view = one(view)
    return view


def _distinct(views: list[View]) -> list[View]:
    seen: set[str] = set()
    out = []
    for view in views:
        if view.text not in seen:
            seen.add(view.text)
            out.append(view)
    return out
