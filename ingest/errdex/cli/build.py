"""`errdex build`: write the static site."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from errdex.cli import options
from errdex_site.build import Options, Summary, build


@click.command("build")
@options.database
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("_site"),
    show_default=True,
    help="The folder that the site is written to.",
)
@click.option(
    "--base-url",
    default="",
    metavar="URL",
    callback=lambda _ctx, _param, value: _checked(value),
    help="Where the site will stand. Links work without it; site maps and previews need it.",
)
@click.option("--jobs", type=click.IntRange(1), help="Processes.  [default: one a core]")
@click.option(
    "--templates",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder with templates that replace those of the same name.",
)
@click.option("--gzip", is_flag=True, help="Write a .gz beside every text file.")
def command(
    database: Path,
    out: Path,
    base_url: str,
    jobs: int | None,
    templates: Path | None,
    gzip: bool,
) -> None:
    """Write the static site of a database.

    Only what has changed since the last build is written. The folder is as it was until the
    build is complete.
    """
    chosen = Options(base_url, templates, jobs or 0, gzip)
    columns = (TextColumn("Pages"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=None)
        summary = build(database, out, chosen, lambda done: bar.update(task, completed=done))
    for line in told(summary, out):
        click.echo(line)


def told(summary: Summary, out: Path) -> list[str]:
    """The summary in sentences."""
    return [
        f"{out}: {summary.pages:,} pages in {summary.files:,} files, {summary.bytes / 1e6:,.1f} MB;"
        f" {summary.written:,} written, {summary.removed:,} removed.",
        f"Largest page: {summary.largest / 1e3:,.1f} kB, {summary.largest_path}",
        *summary.limits,
    ]


def _checked(url: str) -> str:
    if url and not url.startswith(("http://", "https://")):
        raise click.BadParameter(f"{url} does not begin with http:// or https://")
    return url
