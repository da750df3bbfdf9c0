"""An example fix → its before and after, in whatever comment style they are marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

Sign = Literal[" ", "-", "+"]

_BEFORE = "before|wrong|bad|broken|incorrect|old|problem|don'?t|do not"
_AFTER = "after|right|good|fixed|correct|corrected|new|fix|solution|do"
_MARK = re.compile(
    r"\s*(?:(?P<opening>#+|//+|--+|/\*+|\(\*|<!--+|;+|%+|'|rem\b|\{-)\s*)?"
    rf"(?:[❌✗✘✅✓✔]\ufe0f?\s*)?(?:(?P<before>{_BEFORE})|(?P<after>{_AFTER}))\b"
    r"(?P<rest>[^\n]{0,200}?)\s*(?:\*+/|--+>|\*\)|-\})?\s*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s*(?:```|~~~)[\w+-]*\s*")
_MAX_DIFFED = 120
"""Lines; longer examples are shown as all removed, then all added."""


class Change(NamedTuple):
    """One wrong piece of code and what it becomes."""

    before: list[str]
    after: list[str]
    before_note: str
    """What the example says beside its mark; often empty."""
    after_note: str


class DiffLine(NamedTuple):
    """A line of the diff: its sign, and where it stands in `before` or else in `after`."""

    sign: Sign
    at: int


def changes(example: str) -> list[Change]:
    """The marked pairs, in order; empty when before and after cannot be told apart."""
    found: list[tuple[str, str, list[str]]] = []
    for line in example.splitlines():
        if _FENCE.fullmatch(line):
            continue
        mark = _mark(line)
        if mark:
            found.append((*mark, []))
        elif found:
            found[-1][2].append(line)
        elif line.strip():
            return []
    kinds = [kind for kind, _, _ in found]
    if not kinds or kinds != ["before", "after"] * (len(kinds) // 2):
        return []
    pairs = [
        Change(_trim(before), _trim(after), before_note, after_note)
        for (_, before_note, before), (_, after_note, after) in zip(
            found[::2], found[1::2], strict=True
        )
    ]
    return pairs if all(pair.before or pair.after for pair in pairs) else []


def diff(change: Change) -> Iterator[DiffLine]:
    """The change line by line; lines that stay carry their place in `after`."""
    before, after = change.before, change.after
    if len(before) + len(after) > _MAX_DIFFED or set(before).isdisjoint(after):
        yield from (DiffLine("-", at) for at in range(len(before)))
        yield from (DiffLine("+", at) for at in range(len(after)))
        return
    for what, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            yield from (DiffLine(" ", at) for at in range(c, d))
        else:
            yield from (DiffLine("-", at) for at in range(a, b))
            yield from (DiffLine("+", at) for at in range(c, d))


def _mark(line: str) -> tuple[str, str] | None:
    """("before" or "after", its note) where the line is a mark and nothing else."""
    hit = _MARK.fullmatch(line[:400])
    if hit is None:
        return None
    word, rest = hit["before"] or hit["after"], hit["rest"].strip()
    plain = word.lower() in ("before", "after")
    if hit["opening"] is None and (not plain or rest != ":"):
        return None  # code may begin with such a word; a bare mark is `Before:` alone
    if rest and rest[0] not in ":-–—(.,[" and not plain:
        return None  # "# new connection" is a comment, not a mark
    if hit["opening"] and not plain and word.lower() in ("do", "new", "old", "fix") and not rest:
        return None
    note = rest.strip(":-–—., ").removeprefix("(").removesuffix(")").strip()
    return ("before" if hit["before"] else "after"), note


def _trim(lines: list[str]) -> list[str]:
    filled = [at for at, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []
