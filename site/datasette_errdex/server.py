"""A web server for one database: its socket, its start and its end."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
from collections.abc import Callable

import uvicorn

from datasette_errdex.front import Front
from datasette_errdex.later import DatasetteLater
from datasette_errdex.options import Options
from datasette_errdex.workers import run_workers
from errdex.errors import PortForbidden, PortInUse

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
    """Says when it can be asked."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def run(options: Options, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until interrupted; `ready` is called when requests can be sent.

    Logs go to the loggers `errdex`, `errdex.access` (path and status, never a query or a
    body) and `uvicorn.error`. Raises KeyboardInterrupt.
    """
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # or garbage fills the log
    if options.workers == 1:
        _serve(options, listener, ready)
        return
    listener.listen(_BACKLOG)
    ready()
    run_workers(options.workers, lambda: _serve(options, listener, lambda: None))


def _serve(options: Options, listener: socket.socket, ready: Callable[[], None]) -> None:
    sys.setswitchinterval(_SWITCH_SECONDS)
    config = uvicorn.Config(
        Front(DatasetteLater(options)),
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
