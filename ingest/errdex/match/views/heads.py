"""Pass: what the lines of one program begin with, whatever it is, told by its repetition.

`errdex.match.views.prefixes` knows the forms of many loggers and runners; this pass knows
none, and compares lines: it takes off what all lines with the same first word share, and
puts lines together that take turns under tags such as `node0:` and `node1:`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from errdex.late import expression
from errdex.match.views.view import Edit, Slice, View

_FIRST_WORD = expression(r"(?m)^(?:\[[^\]\s]{1,40}\]:?|[^\s]{1,60}(?=[ \t]|$))")
_DIGITS = expression(r"\d+")
_TAG = expression(r"(?!.*(?:Error|Exception|Warning)\b)(?:.*\d|.*[:|\]>)!]\Z|[^\w\s]{1,3}\Z)")
"""What may mark the lines of a program: it has a number, or a sign at its end, or is one."""
_SIGN_ENDS = (":", "|", "]", ">")
_FEWEST = 3
"""Lines with the same first word that a head is taken off from, unless all lines have it."""
_MOST_TAGS = 16
_MOST_LINES = 3000
"""Lines of a text that are compared; a longer one is left as it is."""
_LONGEST_HEAD = 200


def strip_heads(view: View) -> View:
    """Lines grouped by their tags where these take turns, each without what its group shares."""
    breaks = view.text.count("\n")
    if not breaks or breaks > _MOST_LINES:
        return view
    words = [found.span() for found in _FIRST_WORD.finditer(view.text)]
    groups: dict[str, list[int]] = {}
    for start, end in words:
        groups.setdefault(view.text[start:end], []).append(start)
    lines = _filled_lines(view.text)
    if _take_turns(groups, lines):
        return view.assembled(_parts(view.text, groups), "heads")
    heads = dict[int, int]()
    for word, starts in groups.items():
        if (len(starts) >= _FEWEST or 2 <= len(starts) == lines) and _TAG.match(word):
            cut = _head(view.text, starts)
            heads.update((start, start + cut) for start in starts)
    return view.edited(((at, heads[at], "") for at in sorted(heads)), "heads")


def _filled_lines(text: str) -> int:
    return sum(1 for line in text.split("\n") if line.strip())


def _take_turns(groups: dict[str, list[int]], lines: int) -> bool:
    """True if every line has one of a few tags that differ in their numbers only, or end in
    the same sign, and these change more often than they would if each came once."""
    if not 2 <= len(groups) <= _MOST_TAGS or sum(map(len, groups.values())) != lines:
        return False
    if min(map(len, groups.values())) < 2:
        return False
    if len({_DIGITS.sub("0", word) for word in groups}) != 1 and not any(
        all(word.endswith(sign) for word in groups) for sign in _SIGN_ENDS
    ):
        return False
    turns = sorted((start, word) for word, starts in groups.items() for start in starts)
    changes = sum(one[1] != after[1] for one, after in pairwise(turns))
    return changes >= len(groups)


def _head(text: str, starts: list[int]) -> int:
    """How many characters the lines that begin at `starts` share, up to behind a blank."""
    shared = _line(text, starts[0])
    for start in starts[1:]:
        line = _line(text, start)
        if not line.startswith(shared):
            size = 0
            while size < len(line) and size < len(shared) and line[size] == shared[size]:
                size += 1
            shared = shared[:size]
    return shared.rfind(" ") + 1


def _line(text: str, start: int) -> str:
    end = text.find("\n", start, start + _LONGEST_HEAD)
    return text[start : end if end >= 0 else start + _LONGEST_HEAD]


def _parts(text: str, groups: dict[str, list[int]]) -> Iterator[Slice | Edit]:
    first = True
    for starts in groups.values():
        cut = _head(text, starts)
        for start in starts:
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            if not first:
                yield Edit(start, start, "\n")
            first = False
            yield Slice(min(start + cut, end), end)
