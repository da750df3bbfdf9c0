"""One messagePattern, analysed: its kind, its pieces, and what any match must contain.

Kinds:

    W  literals and wildcard groups `(.+?) (.*?) (.+) (.*)` only; matched by finding
       the pieces in order
    R  any other regular expression that RE2 takes; matched by RE2
    U  as R or W, but with too little literal text to be filed under a key: tried on
       every text
    X  refused by RE2 (look-around, back-reference, too large): its template's own
       literals stand in for it

`.` stands for any character but a line break, in every kind.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from errdex.literals import GiveUpError, required_literals

Kind = Literal["W", "R", "U", "X"]

SHORTEST_KEY = 4
"""Bytes of the shortest key (`errdex.match.keys`): a shorter literal files nothing."""

_WILDCARD = re.compile(
    r"\((?:\?P?<[A-Za-z_]\w*>)?\.([+*])(\??)\)"  # a wildcard group
    r"|\\([^A-Za-z0-9])"  # an escaped sign
    r"|\\([nrtfv])"  # an escaped control character
    r"|([^\\.^$*+?{}\[\]|()]+|[}\]]|\{(?![0-9,]))"  # text that stands for itself
)
_GROUP = "(.+?)"
_PLAIN = re.compile(r"(?:[^\\.^$*+?{}\[\]|()]++|\\[^A-Za-z0-9]|[}\]])*+")
"""Text that stands for itself, as in _WILDCARD, and escaped signs."""
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}
_PLACEHOLDER = re.compile(r"\{([^{}\n]{1,80})\}")
_NAME = re.compile(r"[^\W\d]\w*")


class Pattern(NamedTuple):
    """What is known of a pattern without trying it on a text."""

    source: str
    kind: Kind
    pieces: tuple[str, ...]
    """Kinds W, U and X of plain wildcards: the literal before each group and after the
    last (one more than there are groups; any may be empty). Empty for other patterns."""
    gaps: tuple[int, ...]
    """The fewest characters that each group takes, 0 or 1."""
    greedy: bool
    """True if some group takes as much as it can."""
    literals: tuple[str, ...]
    """Texts that every match contains, in order; ASCII case may differ if `fold`."""
    fold: bool
    """True if the pattern ignores case."""

    @property
    def wildcard(self) -> bool:
        """True if finding the pieces in order decides a match."""
        return bool(self.pieces)


def analyze(source: str, message: str = "") -> Pattern:
    """Analyse a pattern; `message` is its template, used only where RE2 refuses it."""
    plain = _wildcards(source)
    if plain is not None:
        return plain
    if not accepted(source):
        stand_in = _wildcards(template_pattern(message)) if message else None
        if stand_in is None:
            return Pattern(source, "X", (), (), False, (), False)
        return stand_in._replace(source=source, kind="X")
    try:
        literals, fold = required_literals(source)
    except GiveUpError:
        literals, fold = (), False
    return Pattern(source, _kind("R", literals), (), (), False, literals, fold)


def restore(source: str, kind: Kind, stand_in: str | None) -> Pattern:
    """The pattern as the database keeps it, without trying RE2 on it again."""
    plain = _wildcards(stand_in if stand_in is not None else source)
    if plain is not None:
        return plain._replace(source=source, kind=kind)
    return Pattern(source, kind, (), (), False, (), False)


def stand_in_for(pattern: Pattern, message: str) -> str | None:
    """The wildcard pattern that is used instead of one that RE2 refuses; else None."""
    return template_pattern(message) if pattern.kind == "X" and pattern.pieces else None


def accepted(source: str) -> bool:
    """True if RE2 compiles the pattern."""
    import re2  # here, since plain wildcards (nearly all patterns) never need it

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(source, options)
    except (re2.error, UnicodeEncodeError):
        return False
    return True


def template_pattern(message: str) -> str:
    """The wildcard pattern that a message template stands for."""
    parts = _PLACEHOLDER.split(message)
    return "".join("(.+?)" if i % 2 else re.escape(part) for i, part in enumerate(parts))


def placeholder_names(pattern: Pattern, message: str) -> list[str]:
    """A name for each group of a wildcard pattern, taken from the template in order.

    The pieces of the pattern are found in the template; what lies between two of them
    is a placeholder. A group that has no name of its own is called by its number, from 1.
    """
    names, at = [], 0
    pieces = pattern.pieces
    for number in range(1, len(pieces)):
        at = max(at, message.find(pieces[number - 1], at)) + len(pieces[number - 1])
        inner = _PLACEHOLDER.match(message, at)
        names.append(_plain_name(inner[1]) if inner else str(number))
        at = inner.end() if inner else at
    return _distinct(names)


def template_names(message: str) -> list[str]:
    """The names of a template's placeholders, in order."""
    return _distinct([_plain_name(name) for name in _PLACEHOLDER.findall(message)])


def _plain_name(inside: str) -> str:
    """`self.name!r:>10` → `name`: the last identifier before conversion and format."""
    found = _NAME.findall(re.split(r"[!:=]", inside, maxsplit=1)[0])
    return found[-1] if found else inside


def _distinct(names: list[str]) -> list[str]:
    """Names made distinct by a number behind each that was there before."""
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return out


def _kind(kind: Kind, literals: tuple[str, ...]) -> Kind:
    for literal in literals:
        if len(literal) >= SHORTEST_KEY or len(_in_bytes(literal)) >= SHORTEST_KEY:
            return kind
    return "U"


def _in_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _wildcards(source: str) -> Pattern | None:
    """The pattern as pieces and gaps, or None if it holds anything else."""
    return _usual_wildcards(source) or _any_wildcards(source)


def _usual_wildcards(source: str) -> Pattern | None:
    """As `_wildcards`, for the patterns that hold no group but `(.+?)`: nearly all of them."""
    if "\\(.+?)" in source or "\\\\" in source:
        return None  # where a group begins takes a closer look
    pieces = tuple(source.split(_GROUP))
    if _PLAIN.fullmatch("".join(pieces)) is None:
        return None
    if "\\" in source:
        pieces = tuple([piece.replace("\\", "") for piece in pieces])
    literals = tuple([piece for piece in pieces if piece])
    gaps = (1,) * (len(pieces) - 1)
    return Pattern(source, _kind("W", literals), pieces, gaps, False, literals, False)


def _any_wildcards(source: str) -> Pattern | None:
    """As `_wildcards`, sign by sign."""
    pieces, gaps, greedy, piece, at = [], [], False, "", 0
    while at < len(source):
        token = _WILDCARD.match(source, at)
        if token is None:
            return None
        repeat, lazy, sign, control, text = token.groups()
        if repeat:
            pieces.append(piece)
            gaps.append(1 if repeat == "+" else 0)
            greedy, piece = greedy or not lazy, ""
        else:
            piece += text or sign or _CONTROLS[control]
        at = token.end()
    pieces.append(piece)
    literals = tuple(piece for piece in pieces if piece)
    return Pattern(
        source, _kind("W", literals), tuple(pieces), tuple(gaps), greedy, literals, False
    )
