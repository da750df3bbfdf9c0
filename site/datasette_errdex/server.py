"""One process that serves one database: Datasette with safe settings, and a web server."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import rich
import uvicorn
from datasette.app import Datasette

from datasette_errdex import metadata
from datasette_errdex.live import LiveDatabase
from datasette_errdex.service import PLUGIN
from errdex.database.connection import open_for_reading
from errdex.errors import PortForbidden, PortInUse

NAME = "db"
"""What Datasette calls the database, whatever its file is called."""

SETTINGS = {
    "allow_csv_stream": False,
    "allow_download": False,
    "default_allow_sql": False,
    "default_cache_ttl": 60,
    "max_returned_rows": 500,
    "num_sql_threads": 3,
    "suggest_facets": False,
}
"""Safe on the internet: nobody runs SQL of their own or takes the whole file."""


@dataclass(frozen=True)
class Options:
    """How to serve."""

    database: Path
    base_url: str = ""
    """The address that the world knows the site by, for links that leave it."""
    requests_per_minute: int = 0
    """From one network address; 0 for as many as they like."""
    allow_sql: bool = False
    """Whether anyone may run SQL of their own on Datasette's pages."""
    behind_proxy: bool = False
    """Believe a proxy on this machine about addresses and scheme."""


def datasette_for(options: Options) -> Datasette:
    """Datasette with our database. Raises what opening the database raises."""
    open_for_reading(options.database).close()
    plugin = {
        "database": NAME,
        "base_url": options.base_url,
        "requests_per_minute": options.requests_per_minute,
    }
    datasette = Datasette(
        files=[str(options.database)],
        settings=SETTINGS | {"default_allow_sql": options.allow_sql},
        metadata=metadata.describe(NAME) | {"plugins": {PLUGIN: plugin}},
    )
    for name in [name for name, known in datasette.databases.items() if known.path is not None]:
        if name not in ("_internal", "_memory"):
            datasette.remove_database(name)
    datasette.add_database(LiveDatabase(datasette, options.database), name=NAME)
    return datasette


def bind(host: str, port: int) -> socket.socket:
    """A socket that is ours from now on. Raises PortInUse or PortForbidden."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _name, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, OverflowError, UnicodeError) as problem:
        raise PortForbidden(host=host, port=port, reason=_reason(problem)) from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as problem:
        listener.close()
        if problem.errno == errno.EADDRINUSE:
            raise PortInUse(host=host, port=port) from None
        raise PortForbidden(host=host, port=port, reason=_reason(problem)) from None
    return listener


def _reason(problem: Exception) -> str:
    return (getattr(problem, "strerror", None) or str(problem)).lower()


def address_of(listener: socket.socket) -> str:
    """`http://127.0.0.1:8001/`: what to open in a browser on this machine."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  # compared only
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class _Server(uvicorn.Server):
    """Says when it can be asked."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def run(options: Options, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until interrupted; `ready` is called when the first request can be answered.

    Logs go to the loggers `errdex`, `errdex.access` (path and status, never a query or a
    body) and `uvicorn.error`.
    """
    datasette = datasette_for(options)
    config = uvicorn.Config(
        datasette.app(),
        log_config=None,
        access_log=False,
        lifespan="on",
        proxy_headers=options.behind_proxy,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    rich.reconfigure(quiet=True)  # or Datasette prints each 404 with its request's query
    asyncio.run(_Server(config, ready).serve(sockets=[listener]))
