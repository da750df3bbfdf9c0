"""A block of a log as lines, and which of them need a closer look."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator
from typing import NamedTuple

from errdex.events import Event, Grouper

ACTIVE = re.compile(
    rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\\]|\r(?!\Z)|</[a-z]|&(?:[a-zA-Z]{2,8}|\#\w{1,6});"
    rb"|\]\(http|<http|\"\"|[(b][\"']|\[(?:0|39|22|00)m|\#012|\xc2[\x80-\xa0\xab\xad\xb4\xbb]"
    rb"|\xe2(?:\x80|\x81|\x86\xb5|\x88\x92|\x8f\x8e|\x90)|\xe3\x80\x80|\xef(?:\xbb\xbf|\xbc)|\xc3\xa2\xe2"
)
"""What makes a view differ from the line in more than what it leaves out at its head: only
with that can a view of a single line hold a message that the line does not. (The strings
of JSON without escapes are only set apart.)"""

_BREAK = re.compile(rb"\n")


class Narrowed(NamedTuple):
    """The lines of a block, by number from 0, that have to be looked at, and why."""

    hits: dict[int, set[int]]
    """Patterns whose key is in the line."""
    active: list[int]
    """Lines of which a view may hold what they do not."""
    uncertain: list[int]
    """Lines that are not plain (see `errdex.events.is_plain`), in order."""


class Lines:
    """The lines of a block of bytes, which end with a line break each but perhaps the last."""

    def __init__(self, block: bytes) -> None:
        self.block = block
        self.folded = block.lower()
        self.starts = [0, *(found.end() for found in _BREAK.finditer(block))]
        """Where each line begins."""
        if self.starts[-1] == len(block):
            self.starts.pop()

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, offset: int) -> int:
        """The number, from 0, of the line that holds the byte."""
        return bisect_right(self.starts, offset) - 1

    def raw(self, number: int) -> bytes:
        """A line as it stands, without its line break."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.block)
        return self.block[self.starts[number] : end].rstrip(b"\n")

    def text(self, number: int) -> str:
        """A line as text."""
        return decoded(self.raw(number))

    def folded_line(self, number: int) -> bytes:
        """A line in ASCII lower case, perhaps with its line break."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.folded)
        return self.folded[self.starts[number] : end]

    def events_of_several(self, uncertain: list[int]) -> Iterator[tuple[int, int, str]]:
        """(first, end, text) of each event that has more than one line; `end` is exclusive.

        Only the surroundings of the lines that are not plain are read: elsewhere each
        line is an event.
        """
        done = 0
        known = frozenset(uncertain)
        for number in uncertain:
            if number >= done:
                done = yield from self._around(max(done, number - 1), number, known)

    def _around(
        self, first: int, sure: int, uncertain: frozenset[int]
    ) -> Generator[tuple[int, int, str], None, int]:
        """Events from `first` on until one begins for certain behind line `sure`."""
        grouper = Grouper()
        number = first
        while number < len(self.starts):
            plain = number not in uncertain
            settled = number > sure and plain and grouper.settled()
            event = None
            if not settled:
                event = grouper.add(number, self.text(number), plain)
            if event is not None and "\n" in event.text:
                yield _extent(event)
            if settled:
                break
            number += 1
        event = grouper.end()
        if event is not None and "\n" in event.text:
            yield _extent(event)
        return number


def decoded(line: bytes) -> str:
    """The line as text, without the carriage return of a line break."""
    return line.removesuffix(b"\r").decode("utf-8", "replace")


def _extent(event: Event) -> tuple[int, int, str]:
    return event.line, event.line + event.text.count("\n") + 1, event.text
