"""Who answers an address: the API, the site, or Datasette.

In this order, so that nobody's addresses are shadowed:

1. `/-` and everything below it is Datasette's own, and what other plugins serve is theirs.
2. The API, health and `/match/` are ours.
3. What `errdex_site.addresses` names is ours where there is such a page. Pages end in a
   slash and Datasette's do not, so that an owner and a database may even share a name.
4. Else, what begins with the name of an attached database is Datasette's.
5. An address of fixed shape with its last slash missing, or one too many, is redirected.
6. All else is answered with the site's own 404.

All this stands before Datasette, not among its routes: requests to ours carry no
cookies and change nothing, so its cross-site checks (which differ between its two lines)
have nothing to protect there, and its pages' headers can be completed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import cast

from datasette_errdex import api, dataset, health, oembed, pages
from datasette_errdex.asgi import Call, Gone, Message, Receive, Response, Scope, Send
from datasette_errdex.behind import Behind
from datasette_errdex.headers import (
    DATASETTE,
    KEEP_NOWHERE,
    answered_before,
    complete,
    entity_tag,
)
from datasette_errdex.service import Service
from datasette_errdex.spool import PIECE, Spool
from errdex.errors import AddressUnknown, ErrdexError, MethodForbidden
from errdex_site import addresses

Handler = Callable[[Call, Service], Awaitable[Response]]

_GET = ("GET", "HEAD")
_FIXED: dict[str, tuple[Handler, tuple[str, ...]]] = {
    addresses.MATCH: (pages.match, (*_GET, "POST")),
    "/match.json": (api.match, (*_GET, "POST")),
    "/api/match": (api.match, (*_GET, "POST")),
    "/api/search": (api.find, _GET),
    "/api/repos": (api.list_repos, _GET),
    "/api/openapi.json": (api.openapi, _GET),
    "/oembed": (oembed.oembed, _GET),
    "/healthz": (health.healthz, _GET),
    "/readyz": (health.readyz, _GET),
}
_WITHOUT_SLASH = ("short", "ids", "records", "sitemap", "file")
_UNLIMITED = ("/healthz", "/readyz")
_PREFLIGHT = (
    ("access-control-allow-methods", "GET, HEAD, POST"),
    ("access-control-allow-headers", "content-type, if-none-match"),
    ("access-control-max-age", "86400"),
)

log = logging.getLogger("errdex")
access = logging.getLogger("errdex.access")


class Front:
    """The application that stands before Datasette's."""

    def __init__(self, behind: Behind) -> None:
        self._behind = behind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let Datasette answer with our security headers added."""
        service = self._behind.service() if scope["type"] == "http" else None
        if service is None:
            await self._behind(scope, receive, send)
            return
        call = Call.of(scope, receive, service.mount)
        try:
            response = await self._answer(call, service)
        except Gone:
            return
        if response is None:
            await self._behind(scope, receive, _with_security(send))
            return
        await _send(response, call, send)
        # Neither the query nor the body: both may hold a paste.
        access.info("%s %s %d", call.method, call.path, response.status)

    async def _answer(self, call: Call, service: Service) -> Response | None:
        try:
            if call.path not in _UNLIMITED:
                service.rate_limit.spend(call.client)
            return await self._route(call, service)
        except ErrdexError as error:
            return api.failure(error)
        except Gone:
            raise
        except Exception:  # a fault of ours: the reader gets a sentence, the log the rest
            log.exception("%s %s failed", call.method, call.path)
            return api.broken()

    async def _route(self, call: Call, service: Service) -> Response | None:
        path = call.path
        first = path[1:].partition("/")[0]
        if first in ("-", ":memory:") or any(other.match(path) for other in self._behind.others()):
            return None
        if path in _FIXED:
            return await _allowed(call, service, *_FIXED[path])
        if path.startswith(api.ERRORS):
            return await _allowed(call, service, api.error, _GET)
        route = addresses.parse(path)
        theirs = first in self._behind.first_segments()
        if route is not None and (call.method in _GET or not theirs):
            handler = dataset.dataset if route.kind == "dataset" else pages.page
            found = await _allowed(call, service, handler, _GET)
            if found.status != 404:
                return found
        if theirs:
            return None
        return _moved(path, service) or await _unknown(call, service)


async def _allowed(
    call: Call, service: Service, handler: Handler, methods: tuple[str, ...]
) -> Response:
    if call.method == "OPTIONS":
        return Response(204, b"", "text/plain", (("access-control-allow-origin", "*"), *_PREFLIGHT))
    if call.method not in methods:
        allowed = ", ".join(methods)
        refusal = api.failure(MethodForbidden(path=call.path, method=call.method, allowed=allowed))
        return refusal._replace(headers=(*refusal.headers, ("allow", allowed)))
    return await handler(call, service)


def _moved(path: str, service: Service) -> Response | None:
    """To the same address with its last slash set right, if one of fixed shape is meant."""
    other = path[:-1] if path.endswith("/") else path + "/"
    route = addresses.parse(other) if path.endswith("/") else None
    if other in _FIXED or (route is not None and route.kind in _WITHOUT_SLASH):
        return pages.moved(other, service)
    return None


async def _unknown(call: Call, service: Service) -> Response:
    if call.path.startswith("/api/"):
        raise AddressUnknown(path=call.path[:200])
    if call.method not in _GET:
        return await _allowed(call, service, pages.page, _GET)
    return await pages.page(call, service)


async def _send(response: Response, call: Call, send: Send) -> None:
    """Send one of our answers; `If-None-Match` and HEAD are seen to here."""
    headers, status, body = complete(response), response.status, response.body
    if status == 200 and ("cache-control", KEEP_NOWHERE) not in response.headers:
        tag = body.tag if isinstance(body, Spool) else entity_tag(body)
        headers.append(("etag", tag))
        wanted = call.headers.get("if-none-match")
        if wanted is not None and call.method in _GET and answered_before(wanted, tag):
            status, body = 304, b""
    if status not in (204, 304):
        size = body.size if isinstance(body, Spool) else len(body)
        headers.append(("content-length", str(size)))
    encoded = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    if isinstance(body, Spool) and call.method != "HEAD":
        await _send_pieces(body, send)
    else:
        await send({"type": "http.response.body", "body": b"" if call.method == "HEAD" else body})


async def _send_pieces(body: Spool, send: Send) -> None:
    for offset in range(0, body.size, PIECE):
        piece = await asyncio.to_thread(body.piece, offset)
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def _with_security(send: Send) -> Send:
    """Datasette's answers, with the headers that it does not set itself."""

    async def completed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(cast("Iterable[tuple[bytes, bytes]]", message.get("headers", ())))
            present = {name.lower() for name, _ in headers}
            for name, value in DATASETTE:
                if name.encode() not in present:
                    headers.append((name.encode(), value.encode()))
            message = {**message, "headers": headers}
        await send(message)

    return completed
