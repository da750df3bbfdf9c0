"""A database that texts are matched against, and a stream that what is found is written to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TextIO

from errdex.database.connection import open_for_reading
from errdex.database.fixes import Fixes, fixes_of
from errdex.match.answers import Answer
from errdex.match.engine import Matcher
from errdex.report import writer
from errdex.report.sighting import Setting, Sighting
from errdex.style import style_for, visible

MATCHED, NOTHING, WRONG_USE, GRAVE = 0, 1, 2, 3
"""Exit codes of commands that match."""


class Wanted(NamedTuple):
    """Which records are wanted."""

    limit: int = 5
    repo: str | None = None
    tags: tuple[str, ...] = ()
    min_score: float = 0.0

    def found_in(self, text: str, matcher: Matcher) -> Answer:
        """What the matcher finds of them in a text."""
        answer = matcher.match(text, limit=self.limit, repo=self.repo, tags=self.tags)
        sure = [match for match in answer.matches if match.score >= self.min_score]
        return answer._replace(matches=sure)


class Reporter:
    """Matches against one database, and writes what is found to one stream."""

    def __init__(self, database: Path, form: str, stream: TextIO, site: str | None) -> None:
        self._connection = open_for_reading(database)
        self.matcher = Matcher(self._connection)
        self._write = writer(form)
        self._stream = stream
        self._setting = Setting(
            fixes=self._fixes,
            site=site.rstrip("/") if site else None,
            style=style_for(stream),
            options=_options(database),
        )

    def report(self, sightings: Iterable[Sighting], *, log: bool, endless: bool = False) -> int:
        """Write the sightings, each as soon as the format allows it.

        The place in SEVERITIES of the gravest match; -1 if there is none. Where there is
        no end, Ctrl-C is one, wherever it is met.
        """
        gravest = -1

        def noted() -> Iterator[Sighting]:
            nonlocal gravest
            for sighting in sightings:
                gravest = max(gravest, sighting.severity)
                yield sighting

        setting = self._setting._replace(log=log)
        try:
            for piece in self._write(noted(), setting):
                self._stream.write(piece)
                self._stream.flush()
        except KeyboardInterrupt:
            if not endless:
                raise
        return gravest

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def _fixes(self, record_id: str) -> Fixes | None:
        return fixes_of(self._connection, [record_id]).get(record_id)


def _options(database: Path) -> str:
    """The option that names the database, where commands would not find it by themselves."""
    usual = os.environ.get("ERRDEX_DB") or "errdex.db"
    if str(database) == usual:
        return ""
    from shlex import quote  # seldom needed

    return f" --db {visible(quote(str(database)))}"


@contextmanager
def reporting(database: Path, form: str, stream: TextIO, site: str | None) -> Iterator[Reporter]:
    """A reporter, closed at the end."""
    reporter = Reporter(database, form, stream, site)
    try:
        yield reporter
    finally:
        reporter.close()
