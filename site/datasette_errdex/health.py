"""Whether the process lives, and whether it can answer from its database."""

from __future__ import annotations

import logging
import sqlite3

from datasette_errdex.asgi import Call, Response
from datasette_errdex.headers import KEEP_NOWHERE
from datasette_errdex.service import Service
from errdex.errors import ErrdexError

_TEXT = "text/plain; charset=utf-8"
_HEADERS = (("cache-control", KEEP_NOWHERE),)

log = logging.getLogger("errdex")


async def healthz(_call: Call, _service: Service) -> Response:
    """200 as long as the process answers at all."""
    return Response(200, b"ok\n", _TEXT, _HEADERS)


async def readyz(_call: Call, service: Service) -> Response:
    """200 when the database can be read, else 503."""
    try:
        await service.readers.ask(lambda _reader: None)
    except (ErrdexError, sqlite3.Error) as problem:
        log.error("not ready: %s", problem)
        return Response(503, b"the database cannot be read\n", _TEXT, _HEADERS)
    return Response(200, b"ready\n", _TEXT, _HEADERS)
