"""The live service, as a Datasette plugin: the site's pages, the JSON API and `errdex_match`.

It wakes only where an errdex database is attached; next to others it changes nothing.

Nothing here imports Datasette: importing Datasette loads this plugin, and a plugin that
is still waiting for Datasette is taken for one without hooks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pluggy

from datasette_errdex.asgi import App
from datasette_errdex.behind import Datasette
from datasette_errdex.front import Front
from datasette_errdex.service import PLUGIN, Host, service_of
from datasette_errdex.sql import add_functions
from errdex_site.cells import cell

hookimpl = pluggy.HookimplMarker("datasette")


@hookimpl
def asgi_wrapper(datasette: Host) -> Callable[[App], App]:
    """Stand in front of Datasette, unless something does already."""
    if not (datasette.plugin_config(PLUGIN) or {}).get("front", True):
        return lambda app: app
    return lambda app: Front(Datasette(app, datasette))


@hookimpl
def prepare_connection(conn: sqlite3.Connection, database: str, datasette: Host) -> None:
    """Add our SQL functions to connections to our database."""
    service = service_of(datasette)
    if service is not None and service.name == database:
        add_functions(conn, service.readers)


@hookimpl
def render_cell(
    row: sqlite3.Row, value: object, column: str, table: str, database: str, datasette: Host
) -> str | None:
    """Show cells of our tables as the site would: links, Markdown and code."""
    service = service_of(datasette)
    if service is None or service.name != database:
        return None
    return cell(table, column, value, row, service.mount[:-1])
