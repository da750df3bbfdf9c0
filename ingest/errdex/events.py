"""Lines of a log → events: a message with its traceback, in any common language, is one.

Where one event ends is decided from its own lines and the next one, never from what
lies further back, so that a log may be cut and read from anywhere: between two *plain*
lines (see `is_plain`) there is always an end, and so there is after MOST_FOLLOWERS of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from errdex.match.views.prefixes import prefix_end

MOST_LINES = 2000
"""Lines of one event; what follows is taken for the next."""
MOST_CHARACTERS = 500_000
MOST_DETAILS = 50
"""Indented lines behind a line that is not known to be an error."""
MOST_FOLLOWERS = 8
"""Lines of a message behind its first, where nothing marks them as such."""

NEEDLES = (
    "error", "exception", "traceback", 'file "', "caused by", "panic", "fatal", "goroutine ",
    "\tat ", "    at ", "stack", "critical", "severe",
)  # fmt: skip
"""A line with none of these, in lower case, neither opens an event of several lines nor
goes on with one, as long as it is not indented."""

INDENT = " \t\r\n)]}"
_BEFORE = re.compile(r"\d\d:\d\d|\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|ERROR|FATAL|CRIT|SEVERE)")
_STAMPED = re.compile(r"\[?(?:\d{4}-\d\d-\d\d[ T])?\d\d:\d\d:\d\d|\{\"|\d{1,3}(?:\.\d{1,3}){3} ")
_CHAIN = re.compile(
    r"The above exception was the direct cause|During handling of the above exception"
)
_TRACEBACK = re.compile(r"(?:.*: )?Traceback \(most recent call last\)")
_GOES_ON = re.compile(
    r"Caused by: |Suppressed: |\.{3} \d+ (?:more|common)|File \"|at [^\s:]+[ (:]|goroutine \d+ \["
    r"|created by |\[signal |[Ss]tack (?:back)?trace:|note: run with|exit status "
    r"|#\d{1,3} (?:/|\{main\}|[\w\\]+(?:->|::|\())"
    r"|[\w./]{1,200}(?:\(\*\w{1,80}\)[\w.]{0,80})?\([^()]{0,200}\)\s*$"
    r"|\d{1,3}: 0x|-{3}> |[ \t]|[)\]}]+[;,]?\s*$|\^+\s*$|from .{1,300}:\d+:in "
)
_SOURCE = re.compile(r"[\w.@/\\:+-]{1,300}:\d{1,7}\s*$")
"""`/app/web.js:12` alone: Node prints it, the line of source and a caret before the error."""
_CARET = re.compile(r"\s*\^+\s*$")
_OWN_HEAD = re.compile(
    r"[{<\[]|\d|(?:[\w.$/:-]{0,100}(?:Error|Exception|Warning|Failure|Fault)"
    r"|(?i:error|fatal|warning|panic|critical|info|debug))\b.{0,80}?[:\]|]"
)


class Event(NamedTuple):
    """Lines that belong together."""

    line: int
    """The number of the first, from 1."""
    text: str
    """The lines as they stand, without the last line break."""


def is_plain(line: str) -> bool:
    """True if the line is not indented and has nothing of an error about it."""
    if not line or line[0] in INDENT:
        return False
    lower = line.lower() if line.isascii() else line.encode("utf-8", "replace").lower().decode()
    return not any(needle in lower for needle in NEEDLES)


def events(lines: Iterable[str], first: int = 1) -> Iterator[Event]:
    """The events of these lines (without their line breaks), numbered from `first`.

    Blank lines between events belong to none.
    """
    grouper = Grouper()
    for number, line in enumerate(lines, first):
        if (event := grouper.add(number, line)) is not None:
            yield event
    if (event := grouper.end()) is not None:
        yield event


class Grouper:
    """Takes lines one by one and gives each event as soon as its end is known."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._blanks: list[str] = []
        self._number = 0
        self._size = 0
        self._reset()

    def _reset(self) -> None:
        self._erring = False
        """Something of an error was in it: unmarked lines may belong to its message."""
        self._tracing = False
        """Within a Python traceback, before the line with the exception."""
        self._chaining = False
        """The next traceback belongs to this one."""
        self._traced = False
        self._framed = False
        """Stack frames were in it: its message is complete."""
        self._stamped = False
        """Its first line says when, or how grave it is."""
        self._whole = False
        """It is an object of JSON on one line: nothing belongs to it but what is in it."""
        self._quoting = False
        """It quotes the source that raised the error which comes next."""
        self._details = self._followers = self._plain = 0

    def settled(self) -> bool:
        """True if the next line begins an event for certain if it is plain."""
        return not self._lines or (not self._erring and len(self._lines) == 1)

    def add(self, number: int, line: str, plain: bool | None = None) -> Event | None:
        """Take the next line; the event that it ends, if it does.

        `plain`: what is_plain says of the line, where that is known.
        """
        if not line.strip():
            if self._lines:
                self._blanks.append(line)
            return None
        if plain is None:
            plain = is_plain(line)
        if self._lines and self._continues(line, plain):
            self._take([*self._blanks, line])
            self._blanks = []
            return None
        ended = self.end()
        self._number = number
        self._open(line, plain)
        return ended

    def end(self) -> Event | None:
        """The event that is open, if one is."""
        event = Event(self._number, "\n".join(self._lines)) if self._lines else None
        self._lines, self._blanks, self._size = [], [], 0
        self._reset()
        return event

    def _open(self, line: str, plain: bool) -> None:
        self._take([line])
        self._erring = not plain
        inside = body(line) if "{" in line else ""
        self._whole = inside.startswith('{"') and inside.rstrip().endswith("}")
        self._stamped = bool(_BEFORE.search(line, 0, 60))
        self._tracing = self._traced = "Traceback" in line and bool(_TRACEBACK.match(body(line)))

    def _take(self, lines: list[str]) -> None:
        self._lines += lines
        self._size += sum(map(len, lines)) + len(lines)

    def _continues(self, line: str, plain: bool) -> bool:
        if len(self._lines) >= MOST_LINES or self._size >= MOST_CHARACTERS or self._whole:
            return False
        if self._quoting and not plain:
            self._erring, self._quoting = True, False
            return True
        if not self._erring:
            self._details += 1
            if plain or self._details > MOST_DETAILS or len(self._blanks) > 1:
                return False
            self._quoting = bool(_CARET.match(line)) and bool(_SOURCE.match(self._lines[0]))
            return line[0] in " \t" or bool(_GOES_ON.match(body(line)))
        self._plain = self._plain + 1 if plain else 0
        if plain and not self._tracing and _STAMPED.match(line):
            return False
        return self._plain <= MOST_FOLLOWERS and self._goes_on(line, body(line))

    def _goes_on(self, line: str, body: str) -> bool:
        """Whether the line goes on with an event that is about an error."""
        if self._tracing:
            if body[:1] not in (" ", "\t") and not _GOES_ON.match(body):
                self._tracing = False  # this is the exception's own line
            return True
        if _TRACEBACK.match(body):
            if self._traced and not self._chaining:
                return False
            self._tracing = self._traced = True
            self._chaining = False
            return True
        if _CHAIN.match(body):
            self._chaining = True
            return True
        if _GOES_ON.match(body) or _GOES_ON.match(line):
            self._framed = self._framed or not self._traced
            return True
        return self._follows(line, body)

    def _follows(self, line: str, body: str) -> bool:
        """Whether this is a further line of a message: it is not logged by itself."""
        self._followers += 1
        if self._framed or self._followers > MOST_FOLLOWERS:
            return False
        if _BEFORE.search(line[: len(line) - len(body)]):
            return False
        if head := _OWN_HEAD.match(body):
            # `ERROR Request failed`, and below it the exception that was logged with it
            return self._stamped and len(self._lines) == 1 and head[0][0] not in "{<["
        return True


def body(line: str) -> str:
    """The line without what its logger put before it, and one blank; indentation stays."""
    cut = prefix_end(line[:400])
    while cut and line[cut - 1] in " \t":
        cut -= 1
    return line[cut + 1 :] if cut and line.startswith(" ", cut) else line[cut:]
