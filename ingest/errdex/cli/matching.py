"""Options that `match` and `run` share, and what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import NamedTuple, TextIO

import click
from msgspec.structs import replace

from errdex.cli.terminal import style_for
from errdex.database.connection import open_for_reading
from errdex.database.queries import entry_by_id
from errdex.match.answers import Answer
from errdex.match.engine import Matcher
from errdex.report import writer
from errdex.report.sighting import Setting, Sighting

_OPTIONS = (
    click.option("--repo", metavar="OWNER/NAME", help="Only records of this repo."),
    click.option(
        "--tag", "tags", multiple=True, help="Only records with this tag; may be repeated."
    ),
    click.option(
        "--min-score",
        type=click.FloatRange(0, 1),
        default=0.0,
        show_default=True,
        help="Leave out matches that are less sure.",
    ),
    click.option(
        "--limit",
        type=click.IntRange(1, 100),
        default=5,
        show_default=True,
        help="Most records for one text.",
    ),
    click.option(
        "--site",
        metavar="URL",
        envvar="ERRDEX_SITE",
        help="Address of a site that has the records' pages, to link to them.",
    ),
)


def options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which records are wanted, and where their pages are."""
    return reduce(lambda wrapped, option: option(wrapped), reversed(_OPTIONS), command)


class Wanted(NamedTuple):
    """Which records are wanted."""

    limit: int
    repo: str | None
    tags: tuple[str, ...]
    min_score: float

    def found_in(self, text: str, matcher: Matcher) -> Answer:
        """What the matcher finds of them in a text."""
        answer = matcher.match(text, limit=self.limit, repo=self.repo, tags=self.tags)
        sure = [match for match in answer.matches if match.score >= self.min_score]
        return replace(answer, matches=sure)


class Reporter:
    """Matches against one database, and writes what is found to one stream."""

    def __init__(self, database: Path, form: str, stream: TextIO, site: str | None) -> None:
        self._connection = open_for_reading(database)
        self.matcher = Matcher(self._connection)
        self._write = writer(form)
        self._stream = stream
        self._setting = Setting(
            entry=lambda record_id: entry_by_id(self._connection, record_id),
            site=site.rstrip("/") if site else None,
            style=style_for(stream),
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
                click.echo(piece, file=self._stream, nl=False, color=setting.style.color)
        except KeyboardInterrupt:
            if not endless:
                raise
        return gravest

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


@contextmanager
def reporting(database: Path, form: str, stream: TextIO, site: str | None) -> Iterator[Reporter]:
    """A reporter, closed at the end."""
    reporter = Reporter(database, form, stream, site)
    try:
        yield reporter
    finally:
        reporter.close()
