"""`errdex explain`: what an error of errdex's own, or of another record that ships, means."""

from __future__ import annotations

import sys

import click

from errdex import text
from errdex.errors import ExplanationMissing
from errdex.shipped import find_entry, read_entries
from errdex.style import style_for, visible

_LONGEST_SHOWN = 80
_MOST_READ = 1_000_000
"""Bytes of standard input; a message is far shorter."""


@click.command("explain")
@click.argument("asked", metavar="CODE | ID | TEXT")
def command(asked: str) -> None:
    """Print what an error means and how to fix it, without a database.

    CODE is what a message of errdex ends with, such as ED101. ID is the id, or
    owner/repo/slug, of a record that ships with errdex. TEXT is a pasted message; - reads
    it from standard input.
    """
    if asked == "-":
        asked = sys.stdin.buffer.read(_MOST_READ).decode("utf-8", "replace")
    entry = find_entry(asked, read_entries())
    if entry is None:
        raise ExplanationMissing(asked=_shortened(asked))
    style = style_for(sys.stdout)
    click.echo(text.render(entry, style), nl=False, color=style.color)


def _shortened(asked: str) -> str:
    line = visible(" ".join(asked.split()))
    return line if len(line) <= _LONGEST_SHOWN else line[: _LONGEST_SHOWN - 1] + "…"
