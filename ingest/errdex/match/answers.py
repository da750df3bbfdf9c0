"""What matching answers: typed, plain, and the same for the command line, API and pages."""

from __future__ import annotations

from typing import Literal, NamedTuple

Tier = Literal["exact", "partial", "text"]
"""exact: the whole pattern is in the text. partial: its literals are there in order, but
not all of them or not with a value in each gap. text: full-text search found it."""


class Span(NamedTuple):
    """A stretch of the raw text, in characters; `end` is exclusive."""

    start: int
    end: int


class Match(NamedTuple):
    """One record that a text may be about."""

    id: str
    repo: str
    slug: str
    error_class: str | None
    error_code: str | None
    error_message: str
    severity: str
    tier: Tier
    score: float
    """How sure it is, from 0 to 1; comparable between texts."""
    claimed: bool
    """False marks a weak hint: it must not be presented as an answer."""
    group: int
    """Matches that share a number are equally good answers."""
    coverage: float
    """Share of the pattern's information that the text holds, from 0 to 1."""
    values: dict[str, str]
    """Captured text by placeholder name; secrets are masked."""
    reasons: list[str]
    """Why it stands where it stands, for people."""
    spans: list[Span]
    """Where the text holds it."""
    line: int
    """Line of the text, from 1, on which it begins."""

    def as_json(self) -> dict[str, object]:
        """The match as JSON has it everywhere: names in camel case, spans as objects."""
        fields: dict[str, object] = dict(zip(_JSON_NAMES, self, strict=True))
        fields["spans"] = [span._asdict() for span in self.spans]
        return fields


class Answer(NamedTuple):
    """Everything that was found in one text, best first."""

    matches: list[Match]
    """Claimed matches before weak hints before full-text guesses."""
    secret: bool
    """The text seems to hold a credential."""

    @property
    def claimed(self) -> list[Match]:
        """The matches that may be presented as answers."""
        return [match for match in self.matches if match.claimed]

    def as_json(self) -> dict[str, object]:
        """The answer as JSON has it."""
        return {"matches": [match.as_json() for match in self.matches], "secret": self.secret}


def _camel(name: str) -> str:
    first, *more = name.split("_")
    return first + "".join(map(str.capitalize, more))


_JSON_NAMES = tuple(map(_camel, Match._fields))
