"""Options that `match` and `run` share."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import click

from errdex.report.reporter import Wanted

_OPTIONS = (
    click.option("--repo", metavar="OWNER/NAME", help="Only records of this repo."),
    click.option(
        "--tag", "tags", multiple=True, help="Only records with this tag; may be repeated."
    ),
    click.option(
        "--min-score",
        type=click.FloatRange(0, 1),
        default=Wanted().min_score,
        show_default=True,
        help="Leave out matches that are less sure.",
    ),
    click.option(
        "--limit",
        type=click.IntRange(1, 100),
        default=Wanted().limit,
        show_default=True,
        help="Most records for one text.",
    ),
    click.option(
        "--site",
        metavar="URL",
        envvar="ERRDEX_SITE",
        help="Address of a site that has the records' pages, to link to them.",
    ),
)


def options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which records are wanted, and where their pages are."""
    return reduce(lambda wrapped, option: option(wrapped), reversed(_OPTIONS), command)
