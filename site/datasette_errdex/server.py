"""A web server for one database: its socket, its start and its end."""

from __future__ import annotations

import asyncio
import errno
import gc
import importlib
import logging
import socket
import sqlite3
import sys
from contextlib import suppress

import uvicorn

from datasette_errdex.accepting import Acceptor, Counts
from datasette_errdex.front import Front
from datasette_errdex.giving_back import keep_little
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
_COLLECTED = 10_000, 20, 100
"""The collector looks for cycles after so many new objects, and less often at older ones: what
is kept of the database holds none, and looking at all of it stops every answer for a while."""


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

    def __init__(self, config: uvicorn.Config, ready: Ready) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


class _SharingServer(_Server):
    """One of several on a socket. It can be retired: it then takes no more connections, and
    ends when it has answered those it has."""

    def __init__(self, config: uvicorn.Config, ready: Ready, counts: Counts, place: int) -> None:
        super().__init__(config, ready)
        self._counts = counts
        self._place = place
        self._retired = False
        self._acceptor: Acceptor

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])  # it would take connections from them
        (listener,) = sockets or []
        self._acceptor = Acceptor(
            listener,
            self._counts,
            self._place,
            mine=lambda: len(self.server_state.connections),
            protocol=self._protocol,
        )
        self._acceptor.start()
        asyncio.get_running_loop().add_signal_handler(RETIRE, self._retire)

    def _protocol(self) -> asyncio.Protocol:
        return self.config.http_protocol_class(  # type: ignore[call-arg]  # as uvicorn does
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def on_tick(self, counter: int) -> bool:
        ended = await super().on_tick(counter)
        if self._retired:
            return ended or not self.server_state.connections
        self._acceptor.tell()
        return ended

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._acceptor.stop()
        await super().shutdown(sockets)

    def _retire(self) -> None:
        """Connections that wait between two requests are not cut: a request may be on its
        way. Each ends with its next answer, or when it has been silent for some seconds."""
        self._retired = True
        self._acceptor.stop()
        self.config.encoded_headers = [*self.config.encoded_headers, (b"connection", b"close")]
        self.server_state.default_headers = self.config.encoded_headers


def run(options: Options, listener: socket.socket, ready: Ready) -> None:
    """Serve until interrupted; `ready` is called when requests can be sent.

    Logs go to the loggers `errdex`, `errdex.access` (path and status, never a query or a
    body) and `uvicorn.error`. Raises KeyboardInterrupt.
    """
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # or garbage fills the log
    if options.workers == 1:
        config = _config(options, service_for(options), "soon")
        _serve(_Server(config, ready), listener)
        return
    counts = Counts(2 * options.workers)  # there are two generations for a moment

    def serving(service: Service, when: When) -> Serve:
        def serve(place: int, ready: Ready) -> None:
            _serve(_SharingServer(_config(options, service, when), ready, counts, place), listener)

        return serve

    def load() -> Serve:
        """Import and prepare what all workers of the second generation share."""
        with without_numpy():
            importlib.import_module("datasette_errdex.configured")
        service = service_for(options)
        with suppress(ErrdexError, sqlite3.Error):  # the workers tell, when they are asked
            service.readers.warm()
        return serving(service, "first")

    listener.listen(_BACKLOG)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # its connections inherit it
    ready()
    run_workers(options.workers, serving(service_for(options), "asked"), load)


def _config(options: Options, service: Service, when: When) -> uvicorn.Config:
    return uvicorn.Config(
        Front(DatasetteLater(options, service, when)),
        log_config=None,
        access_log=False,
        backlog=_BACKLOG,
        lifespan="on",
        proxy_headers=options.behind_proxy,
        server_header=False,
        timeout_graceful_shutdown=5,
    )


def _serve(server: _Server, listener: socket.socket) -> None:
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.set_threshold(*_COLLECTED)
    keep_little()
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(server.serve(sockets=[listener]))
