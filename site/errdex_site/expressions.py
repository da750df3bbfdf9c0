"""A Python regular expression → the JavaScript one that means the same.

Python's own parser reads it, so that nothing depends on how the two languages spell
things. The result is for JavaScript's `u` flag: classes count characters, not halves
of them, and `\\w`, `\\s`, `\\d`, `\\b` mean what they mean in Python, in all of Unicode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from re import _constants as sre  # type: ignore[attr-defined]  # private, and no other reads it
from re import _parser as parser  # type: ignore[attr-defined]  # as above
from typing import Any

_CATEGORIES = {
    sre.CATEGORY_SPACE: r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000",
    sre.CATEGORY_WORD: r"\p{L}\p{N}_",
    sre.CATEGORY_DIGIT: r"\p{Nd}",
}
"""What stands inside brackets for each; str.isalnum is L or N in the Unicode database."""
_NEGATED = {
    sre.CATEGORY_NOT_SPACE: sre.CATEGORY_SPACE,
    sre.CATEGORY_NOT_WORD: sre.CATEGORY_WORD,
    sre.CATEGORY_NOT_DIGIT: sre.CATEGORY_DIGIT,
}
_WORD = f"[{_CATEGORIES[sre.CATEGORY_WORD]}]"
_PLACES = {
    sre.AT_BEGINNING_STRING: "(?<![^])",
    sre.AT_END_STRING: "(?![^])",
    sre.AT_END: r"(?=\n?(?![^]))",
    sre.AT_BOUNDARY: f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))",
}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")


def javascript(expression: re.Pattern[str]) -> str:
    """The source of the expression for JavaScript's flag `u`.

    Raises NotImplementedError for what matching does not use.
    """
    parsed = parser.parse(expression.pattern, expression.flags)
    names = {number: name for name, number in expression.groupindex.items()}
    return _Writer(names).sequence(parsed, expression.flags)


class _Writer:
    def __init__(self, names: dict[int, str]) -> None:
        self._names = names

    def sequence(self, parsed: Iterable[Any], flags: int) -> str:
        return "".join(self._one(op, argument, flags) for op, argument in parsed)

    def _one(self, op: Any, argument: Any, flags: int) -> str:
        if op is sre.LITERAL:
            return _literal(argument, flags)
        if op is sre.NOT_LITERAL:
            return f"[^{_member(argument)}]"
        if op is sre.ANY:
            return "[^]" if flags & re.DOTALL else r"[^\n]"
        if op is sre.IN:
            return _class(argument, flags)
        if op is sre.BRANCH:
            return "(?:" + "|".join(self.sequence(branch, flags) for branch in argument[1]) + ")"
        if op is sre.SUBPATTERN:
            number, add, remove, inner = argument
            return self._group(number, flags & ~remove | add, inner)
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            least, most, inner = argument
            lazy = "?" if op is sre.MIN_REPEAT else ""
            return self._repeat(least, most, inner, flags) + lazy
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            direction, inner = argument
            sign = "=" if op is sre.ASSERT else "!"
            return f"(?{'<' if direction < 0 else ''}{sign}{self.sequence(inner, flags)})"
        if op is sre.AT:
            if argument is sre.AT_BEGINNING:
                return r"(?<![^\n])" if flags & re.MULTILINE else "(?<![^])"
            if argument is sre.AT_END and flags & re.MULTILINE:
                return r"(?![^\n])"
            return _PLACES[argument]
        raise NotImplementedError(f"{op}")

    def _group(self, number: int | None, flags: int, inner: Any) -> str:
        inside = self.sequence(inner, flags)
        if number is None:
            return f"(?:{inside})"
        name = self._names.get(number)
        return f"(?<{name}>{inside})" if name else f"({inside})"

    def _repeat(self, least: int, most: Any, inner: Any, flags: int) -> str:
        inside = self.sequence(inner, flags)
        single = len(inner) == 1 and inner[0][0] in (sre.LITERAL, sre.IN, sre.ANY, sre.NOT_LITERAL)
        if not single and not (len(inner) == 1 and inner[0][0] is sre.SUBPATTERN):
            inside = f"(?:{inside})"
        if most is sre.MAXREPEAT:
            return inside + {0: "*", 1: "+"}.get(least, f"{{{least},}}")
        if (least, most) == (0, 1):
            return inside + "?"
        return inside + (f"{{{least}}}" if least == most else f"{{{least},{most}}}")


def _literal(code: int, flags: int) -> str:
    if flags & re.IGNORECASE and chr(code).isalpha():
        return f"[{_alike(code)}]"
    if chr(code) in _SYNTAX:
        return "\\" + chr(code)
    return _character(code)


@cache
def _alike(code: int) -> str:
    """What the character equals where case is ignored, to stand inside brackets."""
    same = re.compile(re.escape(chr(code)), re.IGNORECASE)
    alike = [c for c in range(0x10000) if not 0xD800 <= c < 0xE000 and same.fullmatch(chr(c))]
    return "".join(map(_member, alike))


def _class(members: list[Any], flags: int) -> str:
    negated = members[0][0] is sre.NEGATE
    inside, outside = "", []
    for op, argument in members[1:] if negated else members:
        if op is sre.LITERAL:
            folded = flags & re.IGNORECASE and chr(argument).isalpha()
            inside += _alike(argument) if folded else _member(argument)
        elif op is sre.RANGE and not flags & re.IGNORECASE:
            inside += f"{_member(argument[0])}-{_member(argument[1])}"
        elif op is sre.CATEGORY and argument in _CATEGORIES:
            inside += _CATEGORIES[argument]
        elif op is sre.CATEGORY and argument in _NEGATED:
            outside.append(_CATEGORIES[_NEGATED[argument]])
        else:
            raise NotImplementedError(f"{op} {argument}")
    if not outside:
        return f"[{'^' if negated else ''}{inside}]"
    if negated:  # within each of these, and not in what else the class names
        return "(?:" + "".join(f"(?=[{one}])" for one in outside) + f"[^{inside}])"
    choices = [f"[{inside}]"] if inside else []
    choices += [f"[^{one}]" for one in outside]
    return choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})"


def _member(code: int) -> str:
    return "\\" + chr(code) if chr(code) in "^]\\-[" else _character(code)


def _character(code: int) -> str:
    if 0x20 <= code < 0x7F:
        return chr(code)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"
