"""The words of a pattern's literals, one by one: what a part of a message is found by."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from errdex.late import expression
from errdex.match.information import bits

_WORD = expression(r"\w+|[^\w\s]+")


class Fragment(NamedTuple):
    text: str
    piece: int
    bits: float
    edge_left: bool
    """True if a group may come directly before it, within a word."""
    edge_right: bool
    opens_line: bool
    """True if the pattern has a line break between it and what stands before."""

    @property
    def is_word(self) -> bool:
        """True if it is no punctuation."""
        return self.text[0].isalnum() or self.text[0] == "_"


@lru_cache(maxsize=4096)
def fragments_of(pieces: tuple[str, ...]) -> tuple[Fragment, ...]:
    """The words and runs of punctuation of the pattern's pieces."""
    found = []
    last = len(pieces) - 1
    for number, piece in enumerate(pieces):
        before = 0
        for word in _WORD.finditer(piece):
            left = word.start() == 0 and number > 0
            right = word.end() == len(piece) and number < last
            opens = "\n" in piece[before : word.start()]
            found.append(Fragment(word[0], number, bits(word[0]), left, right, opens))
            before = word.end()
    return tuple(found)


def find_fragment(fragment: Fragment, text: str, start: int, end: int | None = None) -> int:
    """The first place of a fragment that does not begin or end within a word."""
    at = text.find(fragment.text, start, end)
    while at >= 0 and not _at_words(fragment, text, at):
        at = text.find(fragment.text, at + 1, end)
    return at


def rfind_fragment(fragment: Fragment, text: str, start: int, end: int) -> int:
    """The last place of a fragment that does not begin or end within a word."""
    at = text.rfind(fragment.text, start, end)
    while at >= 0 and not _at_words(fragment, text, at):
        at = text.rfind(fragment.text, start, at + len(fragment.text) - 1)
    return at


def _at_words(fragment: Fragment, text: str, at: int) -> bool:
    word, end = fragment.text, at + len(fragment.text)
    if not fragment.edge_left and at > 0 and word[0].isalnum() and text[at - 1].isalnum():
        return False
    return fragment.edge_right or not (
        end < len(text) and word[-1].isalnum() and text[end].isalnum()
    )
