"""`errdex match`: find the records that a text belongs to."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from msgspec.structs import replace

from errdex.cli import options
from errdex.cli.terminal import style_for
from errdex.database.connection import open_for_reading
from errdex.database.queries import entry_by_id
from errdex.errors import ErrdexError, NothingToMatch
from errdex.match.answers import Answer
from errdex.match.engine import Matcher
from errdex.report import FORMATS, writer
from errdex.report.sighting import Setting, Sighting

MATCHED, NOTHING, WRONG_USE, GRAVE = 0, 1, 2, 3


@click.command("match")
@click.argument("text", required=False)
@options.database
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True,
    help="How the findings are written.",
)  # fmt: skip
@click.option("--repo", metavar="OWNER/NAME", help="Only records of this repo.")
@click.option("--tag", "tags", multiple=True, help="Only records with this tag; may be repeated.")
@click.option(
    "--min-score", type=click.FloatRange(0, 1), default=0.0, show_default=True,
    help="Leave out matches that are less sure.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(1, 100), default=5, show_default=True,
    help="Most records for one text.",
)  # fmt: skip
@click.option(
    "--site", metavar="URL", envvar="ERRDEX_SITE",
    help="Address of a site with the records' pages, to link to them.",
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    text: str | None,
    database: Path,
    as_json: bool,
    form: str,
    repo: str | None,
    tags: tuple[str, ...],
    min_score: float,
    limit: int,
    site: str | None,
) -> None:
    """Find the records that a log line or traceback belongs to.

    TEXT is what a terminal printed; without it, standard input is read.

    \b
    Exit codes: 0 matched, 1 nothing matches, 2 wrong use or a file that cannot be read.
    """
    try:
        connection = open_for_reading(database)
        paste = _standard_input() if text is None else text
        answer = Matcher(connection).match(paste, limit=limit, repo=repo, tags=tags)
        sighting = Sighting(paste, _sure(answer, min_score))
        style = style_for(sys.stdout)
        setting = Setting(
            entry=lambda record_id: entry_by_id(connection, record_id),
            site=site.rstrip("/") if site else None,
            style=style,
        )
        for piece in writer("json" if as_json else form)([sighting], setting):
            click.echo(piece, nl=False, color=style.color)
    except ErrdexError as problem:
        click.echo(problem.line, err=True)
        ctx.exit(WRONG_USE)
    ctx.exit(MATCHED if sighting.best else NOTHING)


def _standard_input() -> str:
    if sys.stdin.isatty():
        raise NothingToMatch
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _sure(answer: Answer, least: float) -> Answer:
    """The answer without the matches that are less sure."""
    return replace(answer, matches=[match for match in answer.matches if match.score >= least])
