"""Options and arguments that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

database = click.option(
    "--db",
    "database",
    type=click.Path(path_type=Path),
    default=Path("errdex.db"),
    show_default=True,
    envvar="ERRDEX_DB",
    help="The database file.",
)
