"""`errdex match`: find the records that a text, or a log, belongs to."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from errdex.cli import matching, options
from errdex.errors import ErrdexError, NothingToMatch
from errdex.logs import STANDARD_INPUT, Begun, open_log
from errdex.match.engine import Matcher
from errdex.report import FORMATS
from errdex.report.reporter import GRAVE, MATCHED, NOTHING, WRONG_USE, Wanted, reporting
from errdex.report.sighting import SEVERITIES, Sighting

if TYPE_CHECKING:  # the package that it is in reads packed files, and is slow to import
    from errdex.sources.line import Readable

LONGEST_PASTE = 64_000
"""Bytes; a longer input is a log, and so is one of more lines than MOST_PASTED_LINES."""
MOST_PASTED_LINES = 200


@click.command("match")
@click.argument("text", required=False)
@options.database
@click.option(
    "--file",
    "-f",
    "files",
    multiple=True,
    metavar="FILE",
    help="Read a file, plain or packed, instead of TEXT; may be repeated.",
)
@click.option("--follow", "-F", is_flag=True, help="Wait for what is added to the file.")
@click.option(
    "--log/--paste",
    "log",
    default=None,
    help="Take the input apart into events, or as one text.  [default: by its size]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How the findings are written.",
)
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@matching.options
@click.option(
    "--fail-on",
    type=click.Choice(SEVERITIES),
    help="Exit with 3 if a match is at least so severe, else with 0.",
)
@click.pass_context
def command(
    ctx: click.Context,
    text: str | None,
    database: Path,
    files: tuple[str, ...],
    follow: bool,
    log: bool | None,
    form: str,
    repo: str | None,
    tags: tuple[str, ...],
    min_score: float,
    limit: int,
    site: str | None,
    fail_on: str | None,
) -> None:
    """Find the records that a log line or traceback belongs to.

    TEXT is what a terminal printed; without it, and without --file, standard input is read.
    Of a log (more than 200 lines) each distinct error is told once.

    \b
    Exit codes:
      0  something matched        2  wrong use, or a file that cannot be read
      1  nothing matches          3  a match as severe as --fail-on
    """
    wanted = Wanted(limit, repo, tags, min_score)
    try:
        _check(text, files, follow)
        with reporting(database, form, sys.stdout, site) as reporter:
            if text is not None:
                found = Found([Sighting(text, wanted.found_in(text, reporter.matcher))], log=False)
            elif follow:
                from errdex.cli.watching import watch  # here, since a paste needs nothing of it

                found = Found(watch(Path(files[0]), database, wanted), log=True)
            else:
                found = _read(files or (STANDARD_INPUT,), database, wanted, log, reporter.matcher)
            severity = reporter.report(found.sightings, log=found.log, endless=follow)
    except ErrdexError as problem:
        click.echo(problem.line, err=True)
        ctx.exit(WRONG_USE)
    if fail_on is not None:
        ctx.exit(GRAVE if severity >= SEVERITIES.index(fail_on) else MATCHED)
    ctx.exit(MATCHED if severity >= 0 else NOTHING)


class Found(NamedTuple):
    """What is to be reported."""

    sightings: Iterable[Sighting]
    log: bool


def _check(text: str | None, files: tuple[str, ...], follow: bool) -> None:
    if text is not None and files:
        raise click.UsageError("give TEXT or --file, not both")
    if follow and (len(files) != 1 or files[0] == STANDARD_INPUT):
        raise click.UsageError("--follow needs one --file that has a name")
    if text is None and not files and sys.stdin.isatty():
        raise NothingToMatch


def _read(
    names: tuple[str, ...], database: Path, wanted: Wanted, log: bool | None, matcher: Matcher
) -> Found:
    """What is in files; a single short one is taken for a paste."""
    if log is None and len(names) == 1:
        with open_log(names[0]) as stream:
            first = _beginning(stream)
            if not _is_log(first):
                return Found([_paste(names[0], first, wanted, matcher)], log=False)
            return Found(list(_scan(names[0], Begun(first, stream), database, wanted)), log=True)
    if log is False:
        pastes = [_paste(name, _whole(name), wanted, matcher) for name in names]
        return Found(pastes, log=len(names) > 1)
    return Found(_scanned(names, database, wanted), log=True)


def _scanned(names: tuple[str, ...], database: Path, wanted: Wanted) -> Iterator[Sighting]:
    for name in names:
        with open_log(name) as stream:
            yield from _scan(name, stream, database, wanted)


def _scan(name: str, stream: Readable, database: Path, wanted: Wanted) -> list[Sighting]:
    from errdex.bulk.exact import Asked  # here, since a paste needs nothing of it
    from errdex.bulk.scan import Scanner

    return Scanner(database, Asked(*wanted)).scan(stream, _source(name))


def _paste(name: str, data: bytes, wanted: Wanted, matcher: Matcher) -> Sighting:
    text = data.decode("utf-8", "replace")
    return Sighting(text, wanted.found_in(text, matcher), _source(name))


def _source(name: str) -> str | None:
    return None if name == STANDARD_INPUT else name


def _beginning(stream: Readable) -> bytes:
    """So much of a stream that it is known whether it is a paste."""
    data = b""
    while not _is_log(data) and (more := stream.read(LONGEST_PASTE)):
        data += more
    return data


def _is_log(data: bytes) -> bool:
    return len(data) > LONGEST_PASTE or data.count(b"\n") > MOST_PASTED_LINES


def _whole(name: str) -> bytes:
    parts = []
    with open_log(name) as stream:
        while part := stream.read(LONGEST_PASTE):
            parts.append(part)
    return b"".join(parts)
