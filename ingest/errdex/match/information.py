"""How much a literal says: bits of information, from the words in it.

A word that every log is full of says little, a rare one says much. The measure
depends on nothing but the text, so that scores are comparable between databases
and equal in Python and in the browser.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+|[^\w\s]")

COMMON_BITS = 1.5
"""A word of the list below."""
SIGN_BITS = 0.3
"""A punctuation mark."""
LETTER_BITS = 1.25
"""Each letter of any other word, up to its first eight."""
LETTERS = 8
"""What further letters add is foretold by those before (English: about 1 bit a letter)."""

COMMON_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "argument",
        "arguments",
        "as",
        "at",
        "be",
        "because",
        "been",
        "but",
        "by",
        "called",
        "can",
        "cannot",
        "could",
        "data",
        "did",
        "do",
        "does",
        "during",
        "end",
        "error",
        "errors",
        "exception",
        "exit",
        "expected",
        "fail",
        "failed",
        "failure",
        "fatal",
        "file",
        "for",
        "found",
        "from",
        "get",
        "given",
        "got",
        "had",
        "has",
        "have",
        "if",
        "in",
        "info",
        "input",
        "internal",
        "invalid",
        "is",
        "it",
        "its",
        "key",
        "line",
        "list",
        "load",
        "message",
        "missing",
        "module",
        "must",
        "name",
        "no",
        "none",
        "not",
        "null",
        "object",
        "of",
        "on",
        "one",
        "only",
        "operation",
        "or",
        "out",
        "output",
        "parameter",
        "path",
        "please",
        "process",
        "read",
        "request",
        "required",
        "result",
        "return",
        "returned",
        "run",
        "set",
        "should",
        "size",
        "something",
        "start",
        "state",
        "status",
        "string",
        "supported",
        "task",
        "test",
        "than",
        "that",
        "the",
        "there",
        "this",
        "time",
        "to",
        "true",
        "false",
        "try",
        "type",
        "types",
        "undefined",
        "unable",
        "unexpected",
        "unknown",
        "unsupported",
        "use",
        "used",
        "user",
        "using",
        "valid",
        "value",
        "values",
        "was",
        "were",
        "when",
        "which",
        "while",
        "with",
        "without",
        "write",
        "wrong",
        "you",
        "your",
        "warning",
        "closed",
        "open",
        "timeout",
        "aborted",
        "stopped",
        "stop",
        "http",
        "code",
        "s",
        "d",
        "t",
        "x",
        "i",
        "n",
    ]
)
"""Frequent in error messages of any project, so that they tell little."""


def bits(literal: str) -> float:
    """The information of a literal, in bits; about 1 for each letter of a rare word."""
    total = 0.0
    for word in _WORD.findall(literal):
        if not word[0].isalnum():
            total += SIGN_BITS
        elif word.lower() in COMMON_WORDS:
            total += COMMON_BITS
        else:
            total += LETTER_BITS * min(len(word), LETTERS)
    return total
