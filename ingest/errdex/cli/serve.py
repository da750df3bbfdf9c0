"""`errdex serve`: serve the pages and the API of a database."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

import click

from errdex.cli import options
from errdex.database.connection import open_for_reading

if TYPE_CHECKING:  # it costs half a second to import, and `up` imports this module first
    from datasette_errdex.options import Options

_OPTIONS = (
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=8001,
        show_default=True,
        help="Port to listen on; 0 takes any free one.",
    ),
    click.option("--verbose", is_flag=True, help="Log each request: method, path and status."),
)


def listening(command: Callable[..., None]) -> Callable[..., None]:
    """The options that `serve` and `up` share."""
    return reduce(lambda wrapped, option: option(wrapped), reversed(_OPTIONS), command)


@click.command("serve")
@options.database
@listening
@click.option(
    "--base-url",
    default="",
    metavar="URL",
    help="The address that the world knows the site by, such as https://errors.example.org",
)
@click.option(
    "--requests-per-minute",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Most requests from one network address; 0 for no limit.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes that answer; about one a core.",
)
@click.option("--behind-proxy", is_flag=True, help="Believe the proxy on this machine.")
@click.option("--allow-sql", is_flag=True, help="Let everyone run SQL of their own (read-only).")
def command(
    database: Path,
    host: str,
    port: int,
    verbose: bool,
    base_url: str,
    requests_per_minute: int,
    workers: int,
    behind_proxy: bool,
    allow_sql: bool,
) -> None:
    """Serve the pages and the API of a database, until interrupted."""
    open_for_reading(database).close()  # before the web server's slow import

    from datasette_errdex.options import Options
    from datasette_errdex.server import bind

    asked = Options(
        database=database,
        base_url=base_url,
        requests_per_minute=requests_per_minute,
        allow_sql=allow_sql,
        behind_proxy=behind_proxy,
        workers=workers,
    )
    run(asked, bind(host, port), verbose=verbose)


def run(asked: Options, listener: socket.socket, *, verbose: bool) -> None:
    """Serve, and say where; returns when the reader presses Ctrl-C."""
    from datasette_errdex.server import address_of
    from datasette_errdex.server import run as serve

    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.WARNING)
    logging.getLogger("errdex").setLevel(logging.INFO if verbose else logging.WARNING)

    def ready() -> None:
        address = click.style(address_of(listener), bold=True)
        click.echo(f"Serving {asked.database} at {address}  (Ctrl-C stops it)")

    try:
        serve(asked, listener, ready)
    except KeyboardInterrupt:
        click.echo("\nStopped.")
