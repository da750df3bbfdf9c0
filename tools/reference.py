"""`docs/cli.md`: the help of every command, as the command line prints it."""

from __future__ import annotations

from pathlib import Path

import click

from errdex.cli import COMMANDS, main
from tools import ROOT

PAGE = ROOT / "docs" / "cli.md"
_WIDTH = 88

_HEAD = """\
# Command line

<!-- Written by `python -m tools` from the commands themselves; do not edit. -->

Every command says what it takes with `--help`. `errdex` and `python -m errdex` are the same.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | a sentence on standard error says what went wrong |
| 2 | the command line itself is wrong, or there was nothing to work on |

`errdex match` is for scripts too, and has exit codes of its own: see below. `errdex run` ends
with the exit code of the command that it runs.

A message of errdex ends with the command that says more, such as `errdex explain ED101`.

| environment variable | meaning |
|---|---|
| `ERRDEX_DB` | the database, where `--db` is not given |
| `ERRDEX_SITE` | the address of the site, where `--site` is not given |
| `NO_COLOR` | if set to anything, no colors and no links |
"""


def outputs() -> dict[Path, str]:
    """The page."""
    parts = [_HEAD, _part("errdex", main)]
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        if command is None:
            raise SystemExit(f"errdex.cli.{name} has no command")
        parts.append(_part(f"errdex {name}", command))
    return {PAGE: "\n".join(parts)}


def _part(name: str, command: click.Command) -> str:
    context = click.Context(
        command,
        info_name=name,
        terminal_width=_WIDTH,
        max_content_width=_WIDTH,
        help_option_names=["-h", "--help"],
    )
    return f"## {name}\n\n```text\n{command.get_help(context)}\n```\n"
