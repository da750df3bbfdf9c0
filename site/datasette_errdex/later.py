"""Datasette, brought up while our own pages are served already.

Importing Datasette takes several times as long as everything else together. The site and
the API do not need it, so the first of their answers does not wait for it.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import re
from typing import Literal

from datasette_errdex.asgi import App, Message, Receive, Scope, Send
from datasette_errdex.behind import Datasette, segments_of
from datasette_errdex.numberless import without_numpy
from datasette_errdex.options import NAME, Options
from datasette_errdex.service import Service

_LATER_SECONDS = 1.0
"""By then the first answers have been given, which loading would slow down."""

When = Literal["asked", "soon", "first"]
"""When Datasette is brought up: for the first call that it must answer, a moment after the
start, or before anything is answered."""

log = logging.getLogger("errdex")


class DatasetteLater:
    """Stands behind the front until Datasette does."""

    def __init__(self, options: Options, service: Service, when: When) -> None:
        self._options = options
        self._service = service
        self._when = when
        self._loading: asyncio.Task[Datasette] | None = None
        self._loaded: Datasette | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a call on, once that is possible; see to the start and the end."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        else:
            loaded = await asyncio.shield(self._load())
            await loaded(scope, receive, send)

    def service(self) -> Service:
        """There from the start."""
        return self._service

    def first_segments(self) -> set[str]:
        """Known from the start, as there is one database."""
        return self._loaded.first_segments() if self._loaded else segments_of([(NAME, None)])

    def others(self) -> list[re.Pattern[str]]:
        """What other plugins answer is known only when they are there."""
        return self._loaded.others() if self._loaded else []

    def _load(self) -> asyncio.Task[Datasette]:
        failed = self._loading and self._loading.done() and self._loading.exception()
        if self._loading is None or failed:
            self._loading = asyncio.create_task(self._bring_up())
        return self._loading

    def _load_unasked(self) -> asyncio.Task[Datasette]:
        loading = self._load()
        loading.add_done_callback(_tell)
        return loading

    async def _bring_up(self) -> Datasette:
        made = await asyncio.to_thread(self._make)
        await _first_request(made)
        self._loaded = made
        gc.freeze()  # or the collector looks at all of it again and again
        return made

    def _make(self) -> Datasette:
        import rich

        with without_numpy():
            from datasette_errdex.configured import datasette_for

        rich.reconfigure(quiet=True)  # or Datasette prints each 404 with its request's query
        datasette = datasette_for(self._options, self._service)
        app: App = datasette.app()
        return Datasette(app, datasette)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                if self._when == "first":
                    await asyncio.wait([self._load_unasked()])
                elif self._when == "soon":
                    asyncio.get_running_loop().call_later(_LATER_SECONDS, self._load_unasked)
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                self._service.readers.close()
                await send({"type": "lifespan.shutdown.complete"})
                return


async def _first_request(app: App) -> None:
    """Ask for something small. Datasette starts at its first request and, in 0.65, lets a
    second one in before it has."""

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_message: Message) -> None:
        pass

    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/-/versions.json",
        "raw_path": b"/-/versions.json",
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "client": None,
        "server": None,
    }
    await app(scope, receive, send)


def _tell(task: asyncio.Task[Datasette]) -> None:
    if not task.cancelled() and (problem := task.exception()):
        log.error("the tables cannot be browsed: %s", problem, exc_info=problem)
