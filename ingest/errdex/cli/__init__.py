"""The `errdex` command: one module a command, imported only when it is called."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from errdex import __version__
from errdex.errors import ErrdexError

COMMANDS = {
    "build": "Write the static site.",
    "check": "Look for records that break a rule or do their job badly.",
    "explain": "Say what an error of errdex's own means, offline.",
    "ingest": "Load records into a database.",
    "match": "Find the records that a log line or traceback belongs to.",
    "mcp": "Let coding agents look errors up.",
    "run": "Run a command, and explain its failure at the end.",
    "serve": "Serve the pages and the API of a database.",
    "show": "Print one record.",
    "up": "Load records, then serve them.",
}
"""Every command with its one-line help; each is `errdex.cli.NAME.command`."""


class _LazyGroup(click.Group):
    """Imports a command's module when it is needed, so that `match` starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"errdex.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ErrdexError as error:
            click.echo(error.line, err=True)
            ctx.exit(error.exit_code)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="errdex")
def main() -> None:
    """A searchable knowledge base of the errors that open-source code raises."""


if __name__ == "__main__":
    sys.exit(main())
