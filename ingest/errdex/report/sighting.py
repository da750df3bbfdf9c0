"""What is reported: an error seen in a text, and what is needed to tell about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from errdex.database.fixes import Fixes
from errdex.match.answers import Answer, Match
from errdex.style import Style

SEVERITIES = ("info", "warning", "error", "critical")
"""From mild to grave."""


class Sighting(NamedTuple):
    """One distinct error of a log, or the whole of a paste."""

    text: str
    """As it stands in the input; of a log, its first appearance."""
    answer: Answer
    source: str | None = None
    """The file it was seen in; None for an argument and for standard input."""
    first_line: int = 1
    """Line, from 1, where it begins first."""
    last_line: int = 1
    """Line where its last appearance begins."""
    times: int = 1

    @property
    def best(self) -> Match | None:
        """The answer, if there is one that may be called so."""
        return next(iter(self.answer.claimed), None)

    @property
    def severity(self) -> int:
        """The place in SEVERITIES of the gravest of the best matches; -1 without any."""
        claimed = self.answer.claimed
        equal = [match for match in claimed if match.group == claimed[0].group]
        return max((SEVERITIES.index(match.severity) for match in equal), default=-1)


class Setting(NamedTuple):
    """What is the same for all sightings of a report."""

    fixes: Callable[[str], Fixes | None]
    """Gives what is told of the record with an id; None if it has gone since it matched."""
    log: bool = False
    """Whether the input was taken apart into events, or is one paste."""
    site: str | None = None
    """Address of the site that has the pages, without a slash at its end."""
    style: Style = Style()
    options: str = ""
    """What a command needs that shows one of the records: ` --db FILE`, or nothing."""
