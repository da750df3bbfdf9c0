"""A web server for one database: its socket, its start and its end."""

from __future__ import annotations

import asyncio
import errno
import importlib
import logging
import socket
import sqlite3
import sys
import threading
from contextlib import suppress

import uvicorn

from datasette_errdex.front import Front
from datasette_errdex.later import DatasetteLater, When
from datasette_errdex.numberless import without_numpy
from datasette_errdex.options import Options
from datasette_errdex.service import Service, service_for
from datasette_errdex.workers import RETIRE, Ready, Serve, run_workers
from errdex.errors import ErrdexError, PortForbidden, PortInUse

_BACKLOG = 2048
"""Connections that wait to be accepted."""
_SWITCH_SECONDS = 0.001
"""For how long a thread that computes may keep others waiting."""


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
    """Says when it can be asked, and can be retired: it then takes no more connections, and
    ends when it has answered those it has."""

    def __init__(self, config: uvicorn.Config, ready: Ready) -> None:
        super().__init__(config)
        self._ready = ready
        self._retired = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if threading.current_thread() is threading.main_thread():
            asyncio.get_running_loop().add_signal_handler(RETIRE, self._retire)
        self._ready()

    async def on_tick(self, counter: int) -> bool:
        ended = await super().on_tick(counter)
        return ended or (self._retired and not self.server_state.connections)

    def _retire(self) -> None:
        """Connections that wait between two requests are not cut: a request may be on its
        way. Each ends with its next answer, or when it has been silent for some seconds."""
        self._retired = True
        for server in self.servers:
            server.close()
        self.config.encoded_headers = [*self.config.encoded_headers, (b"connection", b"close")]
        self.server_state.default_headers = self.config.encoded_headers


def run(options: Options, listener: socket.socket, ready: Ready) -> None:
    """Serve until interrupted; `ready` is called when requests can be sent.

    Logs go to the loggers `errdex`, `errdex.access` (path and status, never a query or a
    body) and `uvicorn.error`. Raises KeyboardInterrupt.
    """
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # or garbage fills the log
    if options.workers == 1:
        _serve(options, service_for(options), "soon", listener, ready)
        return

    def first(ready: Ready) -> None:
        _serve(options, service_for(options), "asked", listener, ready)

    def load() -> Serve:
        """Import and prepare what all workers of the second generation share."""
        with without_numpy():
            importlib.import_module("datasette_errdex.configured")
        service = service_for(options)
        with suppress(ErrdexError, sqlite3.Error):  # the workers tell, when they are asked
            service.readers.warm()
        return lambda ready: _serve(options, service, "first", listener, ready)

    listener.listen(_BACKLOG)
    ready()
    run_workers(options.workers, first, load)


def _serve(
    options: Options, service: Service, when: When, listener: socket.socket, ready: Ready
) -> None:
    sys.setswitchinterval(_SWITCH_SECONDS)
    config = uvicorn.Config(
        Front(DatasetteLater(options, service, when)),
        log_config=None,
        access_log=False,
        backlog=_BACKLOG,
        lifespan="on",
        proxy_headers=options.behind_proxy,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_Server(config, ready).serve(sockets=[listener]))
