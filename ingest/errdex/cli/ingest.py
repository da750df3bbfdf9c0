"""`errdex ingest`: load records into a database."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import click

from errdex.cli import options
from errdex.load import load
from errdex.sources import read_lines


@click.command("ingest")
@click.argument("sources", nargs=-1, required=True)
@options.database
@click.pass_context
def command(ctx: click.Context, sources: tuple[str, ...], database: Path) -> None:
    """Load records from SOURCES into a database."""
    summary = load(chain.from_iterable(read_lines(source) for source in sources), database)
    click.echo(f"{summary.read} read, {summary.loaded} loaded, {len(summary.rejected)} rejected")
    ctx.exit(1 if summary.rejected else 0)
