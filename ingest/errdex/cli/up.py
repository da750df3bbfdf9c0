"""`errdex up`: load records, then serve them."""

from __future__ import annotations

from pathlib import Path

import click

from errdex import resources
from errdex.cli import ingest, options, serve


@click.command("up")
@click.argument("sources", nargs=-1)
@options.database
@serve.listening
def command(
    sources: tuple[str, ...],
    database: Path,
    host: str,
    port: int,
    verbose: bool,
) -> None:
    """Load records from SOURCES, or the ones that errdex ships, then serve them."""
    from datasette_errdex.options import Options
    from datasette_errdex.server import bind
    from errdex.load import Options as Loading

    listener = bind(host, port)  # before a long import, not after it
    if ingest.run(sources or _shipped(), database, Loading()).rejected:
        click.echo("Some records were rejected; the others are served.", err=True)
    serve.run(Options(database=database), listener, verbose=verbose)


def _shipped() -> tuple[str, ...]:
    """The files of records that come with errdex."""
    return tuple(str(path) for path in sorted(resources.data_folder().glob("*.jsonl*")))
