"""`errdex show`: print one record."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from errdex import markdown, text
from errdex.cli import options
from errdex.database.connection import open_for_reading
from errdex.database.queries import entry_by_name
from errdex.encode import encode_envelope
from errdex.errors import RecordUnknown
from errdex.style import style_for, visible


@click.command("show")
@click.argument("name", metavar="ID | OWNER/REPO/SLUG")
@options.database
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="How the record is written.",
)
def command(name: str, database: Path, form: str) -> None:
    """Print one record: what the error means, and how to fix it."""
    connection = open_for_reading(database)
    try:
        entry = entry_by_name(connection, name)
    finally:
        connection.close()
    if entry is None:
        raise RecordUnknown(name=visible(name), path=database)
    style = style_for(sys.stdout)
    match form:
        case "markdown":
            written = markdown.render(entry)
        case "json":
            written = msgspec.json.format(encode_envelope(entry), indent=2).decode() + "\n"
        case _:
            written = text.render(entry, style)
    click.echo(written, nl=False, color=style.color)
