"""`errdex ingest`: load records into a database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from errdex.background import step_back
from errdex.cli import options
from errdex.cli.progress import shown_progress

if TYPE_CHECKING:  # it is imported when the command has stepped back
    from errdex.load import Options, Summary


@click.command("ingest")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE…")
@options.database
@click.option("--strict", is_flag=True, help="Stop at the first faulty record; load nothing.")
@click.option("--force", is_flag=True, help="Let older records overwrite newer ones.")
@click.option(
    "--complete",
    is_flag=True,
    help="The SOURCEs hold every record of their repos: mark those that are absent as retired.",
)
@click.option("--dry-run", is_flag=True, help="Tell what would change; change nothing.")
@click.option(
    "--rejects",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where faulty records go.  [default: DATABASE.rejects.jsonl]",
)
@click.pass_context
def command(
    ctx: click.Context,
    sources: tuple[str, ...],
    database: Path,
    strict: bool,
    force: bool,
    complete: bool,
    dry_run: bool,
    rejects: Path | None,
) -> None:
    """Load records from SOURCEs into a database.

    A SOURCE is a file, a folder, a glob, or - for standard input: JSON Lines or JSON, plain
    or packed with gzip, zstd, bzip2 or xz. Faulty records go to a rejects file with the
    reasons; the rest is loaded, and the exit code is 1.

    Into a database that is there already it loads at a lower priority: what serves that
    database comes first.
    """
    if database.exists():
        step_back()
    from errdex.load import Options

    chosen = Options(
        rejects=rejects, strict=strict, force=force, complete=complete, dry_run=dry_run
    )
    ctx.exit(1 if run(sources, database, chosen).rejected else 0)


def run(sources: tuple[str, ...], database: Path, chosen: Options) -> Summary:
    """Load the sources, and say what came of it."""
    from errdex.load import ingest

    with shown_progress(sources) as progress:
        summary = ingest(sources, database, chosen, progress)
    for line in told(summary, database, chosen):
        click.echo(line)
    for reject in summary.first_rejects:
        click.echo(f"errdex: {reject}", err=True)
    more = summary.rejected - len(summary.first_rejects)
    if more:
        click.echo(f"errdex: and {more} more, in {chosen.rejects_path(database)}", err=True)
    return summary


def told(summary: Summary, database: Path, chosen: Options) -> list[str]:
    """The summary in sentences."""
    older = f" ({summary.older} older than what is there)" if summary.older else ""
    lines = [
        f"{summary.read} read: {summary.added} added, {summary.changed} changed,"
        f" {summary.unchanged} unchanged{older}, {summary.rejected} rejected."
    ]
    if summary.read == 0 and not summary.retired:
        lines.append("All of it is as it was at its last import.")
    if summary.retired:
        lines.append(f"{summary.retired} retired: their repo's newest analysis has them no more.")
    if summary.unknown_fields:
        lines.append(f"Unknown fields, kept as they are: {', '.join(summary.shown_unknown)}.")
    if summary.notes:
        lines.append(f"{summary.notes} resolved by rule:")
        lines += [f"  {note}" for note in summary.first_notes]
    if summary.rejected and not chosen.dry_run:
        lines.append(f"The rejects, with reasons: {chosen.rejects_path(database)}")
    if chosen.dry_run:
        lines.append("This was a dry run: nothing was written.")
    return lines
