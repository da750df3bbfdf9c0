"""`errdex check`: the health of records, without changing anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec

from errdex.check import KINDS, Checker, Finding
from errdex.cli import options
from errdex.database.connection import open_for_reading
from errdex.database.queries import entries
from errdex.errors import SourceEmpty
from errdex.faults import shown
from errdex.load.intent import at_hand


@click.command("check")
@click.argument("sources", nargs=-1, metavar="[SOURCE]…")
@options.database
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
@click.pass_context
def command(ctx: click.Context, sources: tuple[str, ...], database: Path, as_json: bool) -> None:
    """Look for records that break a rule or do their job badly.

    Checks SOURCEs as `errdex ingest` takes them or, without any, the database. Nothing is
    changed. The exit code is 1 if something was found.
    """
    checker = Checker()
    findings = _in_sources(checker, sources) if sources else _in_database(checker, database)
    counts: Counter[str] = Counter()
    kept: list[Finding] = []
    for finding in findings:
        counts[finding.kind] += 1
        if as_json:
            kept.append(finding)
        else:
            message = shown(finding.message, most=500)
            click.echo(f"{finding.place}: {finding.kind}: {message}")
    if sources and not checker.checked:
        raise SourceEmpty(source=", ".join(sources))
    if as_json:
        report = {"checked": checker.checked, "counts": counts, "findings": kept}
        click.echo(msgspec.json.encode(report))
    else:
        found = f"{counts.total()} found" if counts else "nothing found"
        click.echo(f"{checker.checked} checked, {found}.")
        for kind, what in KINDS.items():
            if counts[kind]:
                click.echo(f"{counts[kind]:8} {kind}: {what}")
    ctx.exit(1 if counts else 0)


def _in_sources(checker: Checker, sources: tuple[str, ...]) -> Iterator[Finding]:
    with (
        TemporaryDirectory() as folder,
        at_hand(sources, Path(folder, "errdex.db"), None, force=True) as intent,
    ):
        for feed in intent.feeds:
            if not feed.note_only:
                yield from checker.lines(feed.lines())


def _in_database(checker: Checker, database: Path) -> Iterator[Finding]:
    connection = open_for_reading(database)
    try:
        for entry in entries(connection):
            yield from checker.entry(entry, entry.path)
    finally:
        connection.close()
