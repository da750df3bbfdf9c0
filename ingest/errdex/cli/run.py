"""`errdex run`: run a command, and explain its failure at the end."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import click

from errdex.cli import matching, options
from errdex.report.reporter import Reporter, Wanted, reporting
from errdex.report.sighting import Sighting
from errdex.running import Ended, run

NOT_EXECUTABLE, NOT_FOUND = 126, 127
_READ_WHOLE = 64_000
"""Bytes at the end of the output that are matched as one text."""
_SHOWN = 3


@click.command(
    "run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@options.database
@matching.options
@click.argument("arguments", nargs=-1, required=True, metavar="COMMAND…", type=click.UNPROCESSED)
@click.pass_context
def command(
    ctx: click.Context,
    arguments: tuple[str, ...],
    database: Path,
    repo: str | None,
    tags: tuple[str, ...],
    min_score: float,
    limit: int,
    site: str | None,
) -> None:
    """Run COMMAND, and explain its failure at the end.

    Its output passes through untouched, and its exit code is kept. If that is not 0, the
    records that the output belongs to are told on standard error.

    Write -- before a COMMAND that has options: errdex run -- make -j2 test
    """
    wanted = Wanted(limit, repo, tags, min_score)
    with reporting(database, "text", sys.stderr, site) as reporter:
        try:
            ended = run(arguments)
        except OSError as problem:
            known = isinstance(problem, FileNotFoundError)
            click.echo(f"errdex: {arguments[0]}: {problem.strerror}", err=True)
            ctx.exit(NOT_FOUND if known else NOT_EXECUTABLE)
        if ended.code:
            _explain(ended, database, wanted, reporter)
    ctx.exit(ended.code)


def _explain(ended: Ended, database: Path, wanted: Wanted, reporter: Reporter) -> None:
    """Tell what the end of the output says, else what the rest of it says."""
    text = ended.output[-_READ_WHOLE:].decode("utf-8", "replace")
    sighting = Sighting(text, wanted.found_in(text, reporter.matcher))
    log = sighting.best is None and len(ended.output) > _READ_WHOLE
    found = _earlier(ended.output, database, wanted) if log else [sighting]
    if not any(one.best for one in found):
        click.echo(f"\nerrdex: {ended.told}; no record matches the output.", err=True)
        return
    click.echo(f"\nerrdex: {ended.told}; this may be why:\n", err=True)
    reporter.report(found, log=log)


def _earlier(output: bytes, database: Path, wanted: Wanted) -> list[Sighting]:
    """The last errors of a long output."""
    from errdex.bulk.exact import Asked  # here, since it is seldom needed
    from errdex.bulk.scan import Scanner

    return Scanner(database, Asked(*wanted)).scan(io.BytesIO(output))[-_SHOWN:]
