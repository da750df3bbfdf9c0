"""Texts that every match of a regular expression must contain.

A conservative reading of RE2's syntax: literals are kept through concatenation,
groups and repeats of at least one; alternation, classes, optional parts, anchors
and `.` break a literal off. Whatever is unfamiliar makes the reader give up, so
that a literal is never wrongly called required.
"""

from __future__ import annotations

from errdex.late import expression

_GROUP = expression(r"\((?:\?(?::|P?<[A-Za-z_]\w*>))?")
_FLAGS = expression(r"\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])")
_CLASS = expression(r"(?s)\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\]")
_REPEAT = expression(r"(?:([*?+])|\{(\d+)(?:,\d*)?\})\??")
_BREAKING_ESCAPES = frozenset("dDwWsSbBAz")
_CONTROL_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a"}
_META = frozenset("^$.|()[*+?\\")
_DEEPEST = 50

_FOLDED_ONTO_ASCII = frozenset("kKsS")
"""U+212A and U+017F match `k` and `s` where case is ignored (Unicode simple folding)."""


class GiveUpError(Exception):
    """The expression holds something that this reader does not know."""


def required_literals(source: str) -> tuple[tuple[str, ...], bool]:
    """The literals, in order, and whether the expression ignores case.

    Raises GiveUpError where nothing can be said.
    """
    reader = _Reader(source)
    elements = reader.alternatives(0)
    if reader.at < len(source):
        raise GiveUpError
    if reader.fold:
        elements = [_unless_folded(element) for element in elements]
    text = "".join("\0" if element is None else element for element in elements)
    # A NUL in the expression itself breaks a literal too, which is merely cautious.
    return tuple(part for part in text.split("\0") if part), reader.fold


def _unless_folded(element: str | None) -> str | None:
    """None for a character that may stand for another when case is ignored."""
    if element is None or not element.isascii() or element in _FOLDED_ONTO_ASCII:
        return None
    return element


class _Reader:
    """Recursive descent; elements are single characters, None stands for a break."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.fold = False

    def alternatives(self, depth: int) -> list[str | None]:
        if depth > _DEEPEST:
            raise GiveUpError
        branches = 1
        elements = self._concatenation(depth)
        while self.source.startswith("|", self.at):
            self.at += 1
            branches += 1
            self._concatenation(depth)
        return elements if branches == 1 else [None]

    def _concatenation(self, depth: int) -> list[str | None]:
        elements: list[str | None] = []
        while self.at < len(self.source) and self.source[self.at] not in "|)":
            atom = self._atom(depth)
            elements += self._repeated(atom)
        return elements

    def _repeated(self, atom: list[str | None]) -> list[str | None]:
        repeat = _REPEAT.match(self.source, self.at)
        if repeat is None:
            return atom
        self.at = repeat.end()
        if _REPEAT.match(self.source, self.at):
            raise GiveUpError  # a repeat of a repeat
        sign, least = repeat.groups()
        optional = sign in ("*", "?") if sign else int(least) == 0
        return [None] if optional else [*atom, None]

    def _atom(self, depth: int) -> list[str | None]:
        sign = self.source[self.at]
        if sign == "(":
            return self._group(depth)
        if sign == "[":
            bracket = _CLASS.match(self.source, self.at)
            if bracket is None:
                raise GiveUpError
            self.at = bracket.end()
            return [None]
        if sign == "\\":
            return self._escape()
        self.at += 1
        if sign in ".^$":
            return [None]
        if sign in _META:
            raise GiveUpError
        return [sign]

    def _escape(self) -> list[str | None]:
        letter = self.source[self.at + 1 : self.at + 2]
        self.at += 2
        if letter in _CONTROL_ESCAPES:
            return [_CONTROL_ESCAPES[letter]]
        if letter in _BREAKING_ESCAPES:
            return [None]
        if not letter or letter.isalnum() or not letter.isascii():
            raise GiveUpError
        return [letter]

    def _group(self, depth: int) -> list[str | None]:
        flags = _FLAGS.match(self.source, self.at)
        if flags and (flags[1] or flags[2]):
            if not set(flags[1] + (flags[2] or "")) <= set("imsU"):
                raise GiveUpError
            self.fold = self.fold or "i" in flags[1]
            self.at = flags.end()
            if flags[3] == ")":
                return [None]
        else:
            opening = _GROUP.match(self.source, self.at)
            if opening is None or (
                self.source.startswith("(?", self.at) and opening.end() == self.at + 1
            ):
                raise GiveUpError
            self.at = opening.end()
        inner = self.alternatives(depth + 1)
        if not self.source.startswith(")", self.at):
            raise GiveUpError
        self.at += 1
        return inner
