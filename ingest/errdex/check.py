"""The health of records, for the people who produce them: nothing is changed.

Faults keep a record out of the database; the other findings are about records that load
well and then do their job badly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from errdex.decode import Faulty, decode_line
from errdex.match.information import bits
from errdex.match.rank import ENOUGH_WITH_EVIDENCE
from errdex.patterns import Pattern, analyze
from errdex.records import Entry, Record
from errdex.sources import Line

Kind = Literal[
    "fault",
    "pattern-broken",
    "pattern-refused",
    "pattern-misses",
    "pattern-wide",
    "id-twice",
    "slug-twice",
    "snippet-without-line",
    "address-not-pinned",
]

KINDS: dict[Kind, str] = {
    "fault": "the record breaks a rule and is not loaded",
    "pattern-broken": "messagePattern is no regular expression",
    "pattern-refused": "messagePattern needs what RE2 has not, such as look-arounds",
    "pattern-misses": "messagePattern does not match the record's own message",
    "pattern-wide": "messagePattern matches nearly anything",
    "id-twice": "another record has the same id",
    "slug-twice": "another record of the repo has the same slug",
    "snippet-without-line": "sourceCode does not hold the line that raises",
    "address-not-pinned": "githubUrl does not name the commit that was analyzed",
}

_PLACEHOLDER = re.compile(r"\{[^{}\n]{1,80}\}")
_UNRELATED = ("Zzyzx 7 qk", "12:00:01 INFO all is well", "the quick brown fox jumps", "x")
"""Lines that no pattern should find itself in."""


class Finding(msgspec.Struct, frozen=True):
    """Something that is wrong with one record."""

    place: str
    """Where the record stands: `data/x.jsonl:12`, or its name in a database."""
    id: str | None
    kind: Kind
    message: str


class Checker:
    """Looks at records one after the other; remembers ids and slugs to find collisions."""

    def __init__(self) -> None:
        self.checked = 0
        self._ids: dict[str, str] = {}
        self._slugs: dict[str, str] = {}

    def lines(self, lines: Iterable[Line]) -> Iterator[Finding]:
        """What is wrong with the records of these lines."""
        for line in lines:
            try:
                if line.fault is not None:
                    raise Faulty([line.fault])
                entry = decode_line(line.data)
            except Faulty as faulty:
                self.checked += 1
                for fault in faulty.faults:
                    yield Finding(line.place, None, "fault", fault)
            else:
                yield from self.entry(entry, line.place)

    def entry(self, entry: Entry, place: str) -> Iterator[Finding]:
        """What is wrong with a well-formed record."""
        self.checked += 1
        record = entry.record
        found = [
            *_pattern_findings(record),
            *_place_findings(record),
            *self._collisions(entry, place),
        ]
        for kind, message in found:
            yield Finding(place, record.id, kind, message)

    def _collisions(self, entry: Entry, place: str) -> Iterator[tuple[Kind, str]]:
        record_id, path = entry.record.id, entry.path.lower()
        other = self._ids.setdefault(record_id, place)
        if other != place:
            yield "id-twice", f"id {record_id} is that of {other} too"
            return
        holder = self._slugs.setdefault(path, record_id)
        if holder != record_id:
            yield "slug-twice", f"slug {entry.path} is that of {self._ids[holder]} too"


def _pattern_findings(record: Record) -> Iterator[tuple[Kind, str]]:
    source = record.message_pattern
    pattern = analyze(source, record.error_message)
    if pattern.kind == "X":
        try:
            re.compile(source)
        except (re.error, RecursionError, OverflowError) as problem:
            yield "pattern-broken", f"messagePattern does not compile: {problem}"
        else:
            reason = _refusal(source)
            yield "pattern-refused", f"RE2 refuses messagePattern: {reason}"
        return
    matches = _searcher(pattern)
    message = _PLACEHOLDER.sub("value", record.error_message)
    if not matches(message):
        yield "pattern-misses", "messagePattern does not match its own errorMessage, rendered"
    wide = [text for text in _UNRELATED if matches(text)]
    said = sum(map(bits, pattern.literals))
    if wide:
        yield "pattern-wide", f"messagePattern matches an unrelated text, {wide[0]!r}"
    elif said < ENOUGH_WITH_EVIDENCE:
        least = f"{said:.1f} bits of at least {ENOUGH_WITH_EVIDENCE:.0f}"
        yield "pattern-wide", f"messagePattern says too little to be an answer, {least}"


def _place_findings(record: Record) -> Iterator[tuple[Kind, str]]:
    """Findings about where the error is raised."""
    start, line = record.source_code_start, record.line_number
    if record.source_code is not None and start is not None and line is not None:
        end = start + record.source_code.rstrip("\n").count("\n")
        if not start <= line <= end:
            yield (
                "snippet-without-line",
                f"sourceCode holds lines {start} to {end}, and lineNumber is {line}",
            )
    if record.github_url is not None and record.analyzed_sha not in record.github_url:
        yield "address-not-pinned", "githubUrl does not hold analyzedSha"


class _searcher:  # noqa: N801  # called like the function that it is
    """Whether a pattern is found in a text. RE2 is asked where the pieces do not decide."""

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern

    def __call__(self, text: str) -> bool:
        if self._pattern.literals and not self._pattern.fold:
            at = 0
            for literal in self._pattern.literals:
                at = text.find(literal, at)
                if at < 0:
                    return False
                at += len(literal)
        import re2  # here, since most patterns are decided by their literals

        return re2.search(self._pattern.source, text) is not None


def _refusal(source: str) -> str:
    """Why RE2 refuses a pattern."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(source, options)
    except re2.error as problem:
        reason = problem.args[0] if problem.args else "unknown"
        return reason.decode() if isinstance(reason, bytes) else str(reason)
    return "it is no Unicode text"
