"""How much a literal says: bits of information, from the words in it.

A word that every log is full of says little, a rare one says much. The measure
depends on nothing but the text, so that scores are comparable between databases
and equal in Python and in the browser.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

COMMON_BITS = 1.5
"""A word of `common_words.txt`, frequent in the messages of any project."""
SIGN_BITS = 0.3
"""A punctuation mark; of a row of the same one, as in a ruled line, the first."""
LETTER_BITS = 1.25
"""Each letter of any other word, up to its first eight."""
LETTERS = 8
"""What further letters add is foretold by those before them."""

COMMON_WORDS = frozenset(
    Path(__file__).with_name("common_words.txt").read_text(encoding="ascii").split()
)

_WORD = re.compile(r"[^\W_]+|[^\w\s]+")
_WORD_IN_ASCII = re.compile(r"[a-zA-Z0-9]+|[\x00-\x08\x0e-\x1b!-/:-@\[-^`{-\x7f]+")
"""The same, in half of the time."""


def bits(literal: str) -> float:
    """The information of a literal, in bits; about 1 for each letter of a rare word."""
    if len(_bits_of) > _REMEMBERED:
        _bits_of.clear()
    word = _WORD_IN_ASCII if literal.isascii() else _WORD
    return sum(map(_bits_of.__getitem__, word.findall(literal)))


class _BitsOfWords(dict[str, float]):
    """The information of each word, computed once: most words come often."""

    def __missing__(self, word: str) -> float:
        found = self[word] = _word_bits(word)
        return found


_REMEMBERED = 50_000
_bits_of = _BitsOfWords()


def _word_bits(word: str) -> float:
    if not word[0].isalnum():
        return SIGN_BITS * (1 + sum(sign != after for sign, after in pairwise(word)))
    if word.lower() in COMMON_WORDS:
        return COMMON_BITS
    return LETTER_BITS * min(len(word), LETTERS)
