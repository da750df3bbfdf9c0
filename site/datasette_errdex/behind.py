"""What stands behind our front: Datasette, as far as the front must know it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Protocol

from datasette_errdex.asgi import App, Receive, Scope, Send
from datasette_errdex.service import AttachedDatabase, Host, Service, service_of


class Behind(Protocol):
    """An application that answers what the front does not."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call."""

    def service(self) -> Service | None:
        """What the front serves; None where there is nothing for it to serve."""

    def first_segments(self) -> set[str]:
        """First segments of the addresses that it answers."""

    def others(self) -> list[re.Pattern[str]]:
        """Addresses that plugins other than this one answer."""


class Datasette:
    """A Datasette that runs, with this plugin in it."""

    def __init__(self, app: App, host: Host) -> None:
        self._app = app
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the call on."""
        await self._app(scope, receive, send)

    def service(self) -> Service | None:
        """The service of the errdex database that is attached, if one is."""
        return service_of(self._host)

    def first_segments(self) -> set[str]:
        """What the attached databases are called, and Datasette's own."""
        return segments_of(self._host.databases.items())

    def others(self) -> list[re.Pattern[str]]:
        """The routes of other plugins."""
        return self._others

    @cached_property
    def _others(self) -> list[re.Pattern[str]]:
        from datasette.plugins import pm  # it imports this package: see there

        routes = pm.hook.register_routes(datasette=self._host)
        return [re.compile(pattern) for found in routes for pattern, _view in found]


def segments_of(databases: Iterable[tuple[str, AttachedDatabase | None]]) -> set[str]:
    """First segments of the addresses that Datasette has for these databases."""
    names = {"_memory", "favicon.ico"}
    for name, database in databases:
        route = (database.route if database else None) or name
        names |= {route, f"{route}.json", f"{route}.db"}
    return names
