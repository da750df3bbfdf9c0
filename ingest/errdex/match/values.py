"""What each placeholder stood for, as a reader of the message would say it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from errdex.late import expression
from errdex.match.verify import Occurrence
from errdex.match.views import View
from errdex.patterns import Pattern, placeholder_names, template_names

_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}
_QUOTES = "\"'`"
_HEAD = expression(r"(?:[\w.$]*[A-Z]\w*(?:\[[^\]\n]*\]|\([^)\n]*\))?: )+")
_LATER_HEAD = expression(
    r"[^\w.$\"'`][\w.$]{0,100}(?:Error|Exception|Warning|Failure|Fault)"
    r"(?:\[[^\]\n]{0,80}\]|\([^)\n]{0,80}\))?: "
)
"""A class that stands further on before a message, as in `ERROR root: OSError: disk is full`."""
_PROGRAM = expression(r"[a-z][\w.-]{0,30}(?:\[\d{1,7}\])?: ")
"""What a program begins its lines with: its name."""
_FIELD = expression(r"[A-Za-z_][\w.-]{0,40}=([\"'])")
"""How a log opens the field whose text the message is."""
_LETTER = expression(r"[^\W_]")
_LONGEST_HEAD = 110
_LONGEST_QUOTED = 10_000
"""Characters of a value in which the quote is looked for that ends it."""
_OPENED = expression(r"([\"'`])\s{0,8}(?:[\w.$]{1,100}: )?\Z")
_NEXT_FIELD = expression(r"([\"'])(?= [A-Za-z_]\w{0,40}=)")
_ESCAPED_BREAK = expression(r"(?:\\{1,8}r)?\\{1,8}n(?=\\|[A-Z\s\"'`\[({<>|#$]|\Z)")
_DRIVE = expression(r"(?<![A-Za-z])[A-Za-z]:\\|\\\\\w")
_EMPHASIS = expression(r"(?<![\w*~])(\*{1,3}|_{1,2}|~{1,2})(?:[\w.$]{1,100}: )?\Z")
"""How Markdown marks what is bold, slanted or struck out."""
_APOSTROPHE = expression(r"\w'\w")
_QUOTE_ENDS = expression(r"[\s,;:.!?)\]}]|\Z")
_VALUE_FOLLOWS = expression(r"[\s\"'`)\]}>]|\Z")


@lru_cache(maxsize=4096)
def group_names(pattern: Pattern, message: str) -> tuple[str, ...]:
    """A name for each group of the pattern, from its template."""
    if pattern.wildcard:
        return tuple(placeholder_names(pattern, message))
    return tuple(template_names(message))


def completed(pattern: Pattern, view: View, found: Occurrence) -> Occurrence:
    """The occurrence with its first and last group as long as the values really are.

    A lazy group at the end of a pattern takes one character, and one before a mark such
    as a full stop ends at the first such mark, also at the dot in `v1.2`.
    """
    if not pattern.wildcard or not found.groups:
        return found
    start, end = found.start, found.end
    groups = list(found.groups)
    last_piece = pattern.pieces[-1]
    first, last = groups[-1]
    if first < 0:
        pass  # found in part, and without this group
    elif not last_piece:
        last = end = _value_end(view, start, first, last)
    elif not _LETTER.search(last_piece) and view.text.startswith(last_piece, last):
        last = _before_closing_mark(view.text, last_piece, first, last)
        end = last + len(last_piece)
    groups[-1] = (first, last)
    if not pattern.pieces[0]:
        first, last = groups[0]
        if first >= 0:
            start = max(start, _value_start(view.text, first, last))
            groups[0] = (max(first, start), last)
    return Occurrence(start, end, tuple(groups))


def _value_start(text: str, first: int, last: int) -> int:
    """Where a value that begins a message really begins: behind the class before it, the
    name of the program, or the name of the field that it is in."""
    field = _FIELD.match(text, first, last)
    if field and text.count(field[1], field.end(), last) % 2 == 0 and field.end() < last:
        first = field.end()
    heads = [_HEAD.match(text, first, last)]
    if first == 0 or text[first - 1] == "\n":
        heads.append(_PROGRAM.match(text, first, last))
    start = max([first, *(head.end() for head in heads if head)])
    while head := _LATER_HEAD.search(text, max(first, start - 1), last):
        start = head.end()
    return start if start < last else first


def _value_end(view: View, start: int, first: int, least: int) -> int:
    """Where a value that nothing follows ends: at the end of its line, where it was joined,
    or at the quote that closes one opened before the message, which begins at `start`."""
    text = view.text
    end = text.find("\n", least)
    end = len(text) if end < 0 else end
    k = bisect_right(view.joins, least)
    if k < len(view.joins):
        end = min(end, view.joins[k])
    end = _closing_quote(text, start, first, least, end)
    end = _cell_end(text, start, least, _field_end(text, first, least, end))
    while end > least and text[end - 1].isspace():
        end -= 1
    emphasis = _EMPHASIS.search(text, max(0, start - _LONGEST_HEAD), start)
    if emphasis and text.endswith(emphasis[1], least, end):
        end -= len(emphasis[1])
    while end > least and _closes_nothing(text, first, end):
        end -= 1
    return end


def _field_end(text: str, first: int, least: int, end: int) -> int:
    """Where the string closes that the message is at the end of, before the next field of a
    log, as in `error='…' attempt=3`; or where a line break follows that is escaped."""
    end_near = min(end, first + _LONGEST_QUOTED)
    if text.find("=", least, end_near) >= 0:
        field = _NEXT_FIELD.search(text, least, end_near)
        if field and text.count(field[1], first, field.start()) % 2 == 0:
            end = field.start()
    if text.find("\\n", least, end) >= 0:
        escaped = _ESCAPED_BREAK.search(text, least, end)
        if escaped and not _DRIVE.search(text, first, escaped.start() + 2):
            end = escaped.start()
    return end


def _cell_end(text: str, start: int, least: int, end: int) -> int:
    """Where the cell of a table ends that the message is in, if it is in one, else `end`."""
    line_start = text.rfind("\n", 0, start) + 1
    tab = text.find("\t", least, end)
    if tab >= 0 and "\t" in text[line_start:start].strip(" "):
        return tab
    bar = text.find(" |", least, end)
    in_table = bar >= 0 and (text.endswith("|", least, end) or "| " in text[line_start:start])
    return bar if in_table else end


def _closing_quote(text: str, start: int, first: int, least: int, end: int) -> int:
    """Where the quote closes that stands directly before the message or its class, else `end`."""
    opened = _OPENED.search(text, max(0, start - _LONGEST_HEAD), start)
    if opened is None:
        return end
    open_inside = False
    near = min(end, first + _LONGEST_QUOTED)
    at = text.find(opened[1], first, near)
    while at >= 0:
        if not _APOSTROPHE.match(text, max(0, at - 1)):
            if at >= least and not open_inside and _QUOTE_ENDS.match(text, at + 1):
                return at
            open_inside = not open_inside
        at = text.find(opened[1], at + 1, near)
    return end


def _closes_nothing(text: str, first: int, end: int) -> bool:
    """True if the last character closes a bracket or quote that was opened before the value."""
    sign = text[end - 1]
    if sign in _CLOSING:
        return text.count(sign, first, end) > text.count(_CLOSING[sign], first, end)
    return sign in _QUOTES and text.count(sign, first, end) % 2 == 1 and text[first] != sign


def _before_closing_mark(text: str, mark: str, first: int, least: int) -> int:
    """The first place from `least` on where the mark really ends something."""
    line_end = text.find("\n", least)
    line_end = len(text) if line_end < 0 else line_end
    at = least
    opening = _CLOSING.get(mark[:1])
    while 0 <= at < line_end:
        balanced = not opening or text.count(opening, first, at) <= text.count(mark[0], first, at)
        if balanced and _VALUE_FOLLOWS.match(text, at + len(mark)):
            return at
        at = text.find(mark, at + 1, line_end)
    return least


def captured(view: View, found: Occurrence, names: Sequence[str]) -> dict[str, str]:
    """The values by name; groups that took no part are left out."""
    return {
        name: view.text[start:end]
        for name, (start, end) in zip(names, found.groups, strict=False)
        if start >= 0
    }
