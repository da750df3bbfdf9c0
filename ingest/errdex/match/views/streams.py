"""Pass: interleaved processes told apart, so that each one's lines follow each other."""

from __future__ import annotations

from errdex.late import expression
from errdex.match.views.view import Edit, Edits, Slice, View

_TAG_FORMS = (
    r"(?P<compose>[\w.-]{1,60} +\|)(?= |$)"
    r"|(?P<mpi>\[\d+,\d+\]<\w{1,10}>:)"
    r"|(?P<pm2>\d{1,4}\|[\w.-]{1,40} *\|)"
    r"|(?P<paren>\([A-Za-z][^()\n]{0,60}(?:pid|rank)[ =:]?\d{1,10}[^()\n]{0,20}\))"
    r"|(?P<rank>\[?rank ?\d{1,10}\]?:)"
    r"|(?P<pod>\[pod/[^\[\]\s]{1,100}\])"
    r"|(?P<worker>[A-Za-z][\w.]{0,40}-\d{1,6}:)(?= |$)"
)
_TAG = expression(_TAG_FORMS)
_TAGS = expression(f"(?m)^(?:{_TAG_FORMS})")
_BLANK_LINES = expression(r"(?m)^(?:[ \t]*\n)+")


def split_streams(view: View) -> View:
    """Lines grouped by the process that their tag names, in order of first appearance.

    A line without a tag belongs to the line before it. Without at least two processes
    that take turns nothing is done.
    """
    if "\n" not in view.text or not _has_two_tags(view.text):
        return view
    spans = _line_spans(view.text)
    order: dict[str, list[tuple[int, int]]] = {}
    turns, last = 0, ""
    for start, end in spans:
        found = _TAG.match(view.text, start, end)
        tag = found[0] if found else last
        turns += tag != last
        last = tag
        order.setdefault(tag, []).append((start, end))
    tagged = len(order) - ("" in order)
    if tagged < 2 or turns <= len(order):
        return view
    parts: list[Slice | Edit] = []
    for lines in order.values():
        for start, end in lines:
            parts += [Slice(start, end), Edit(end, end, "\n")]
    return view.assembled(parts[:-1], "streams")


def _has_two_tags(text: str) -> bool:
    """A quick test that spares texts without streams the look at each line."""
    first = _TAGS.search(text)
    return first is not None and any(tag[0] != first[0] for tag in _TAGS.finditer(text))


def drop_blank_lines(view: View) -> View:
    """Without the blank line that a viewer put behind each line, if it did so."""
    lines = view.text.count("\n") + 1
    if lines < 5 or "\n\n" not in view.text:
        return view
    blanks = [blank.span() for blank in _BLANK_LINES.finditer(view.text)]
    if sum(view.text.count("\n", *blank) for blank in blanks) * 5 < lines * 2:
        return view
    return view.edited(_blank_edits(view.text, blanks), "single-spaced")


def _blank_edits(text: str, blanks: list[tuple[int, int]]) -> Edits:
    """Of three blank lines together the middle one was there before."""
    for start, end in blanks:
        count = text.count("\n", start, end)
        yield start, end, "\n" * ((count - 1) // 2)


def _line_spans(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    while (end := text.find("\n", start)) >= 0:
        spans.append((start, end))
        start = end + 1
    spans.append((start, len(text)))
    return spans
