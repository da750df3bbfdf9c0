"""The site's pages, live: an address is handed to the site, its page is sent."""

from __future__ import annotations

from urllib.parse import quote

from datasette_errdex import texts
from datasette_errdex.asgi import Call, Response
from datasette_errdex.headers import (
    ANYWHERE,
    KEEP_A_MINUTE,
    KEEP_AN_HOUR,
    KEEP_FOR_GOOD,
    KEEP_NOWHERE,
)
from datasette_errdex.readers import Duration, Reader
from datasette_errdex.service import Service
from errdex_site import addresses, assets
from errdex_site.pages import Page

_FOR_PROGRAMS = ("dataset", "ids", "records")
"""Kinds of addresses that scripts on other sites may read."""
_QUICK = ("error", "short")
"""Kinds of pages that are made of one record."""


async def page(call: Call, service: Service) -> Response:
    """What stands at the path, be it a page, a redirect or a 404."""
    path = call.path
    route = addresses.parse(path)
    if route is not None and route.kind == "static":
        kept = KEEP_FOR_GOOD if call.query_string else KEEP_AN_HOUR
        content = assets.read(route.name)
        if content is not None:
            kind = assets.content_type(route.name)
            return Response(200, content, kind, (("cache-control", kept), *ANYWHERE))
    takes: Duration = "a moment" if route is not None and route.kind in _QUICK else "some"
    found = _response(await service.readers.ask(lambda reader: reader.page(path), takes))
    if found.status == 200 and route is not None and route.kind == "error":
        return found._replace(headers=(*found.headers, ("link", _embedding(path, service))))
    return found


async def match(call: Call, service: Service) -> Response:
    """`/match/`: the page with a box to paste into, and below it what was found."""
    asked = texts.matched_text(call.query()) if call.method != "POST" else None
    if call.method == "POST":
        asked = await texts.posted_text(call)
    if asked is None or not asked.text.strip():
        return await page(call, service)
    question = asked

    def ask(reader: Reader) -> Page:
        return reader.site.match_page(question.text, question.answer(reader.matcher))

    response = _response(await service.readers.ask(ask, question.takes))
    return response._replace(headers=(("cache-control", KEEP_NOWHERE),))


def _embedding(path: str, service: Service) -> str:
    """Where oEmbed tells about a page: in a header, as the page is the static site's too."""
    mount = service.mount[:-1]
    target = f"{mount}/oembed?url={quote(mount + path, safe='')}"
    return f'<{target}>; rel="alternate"; type="application/json+oembed"'


def moved(path: str, service: Service) -> Response:
    """A lasting redirect to another address of the site."""
    location = service.mount + path[1:]
    return Response(308, b"", "text/plain; charset=utf-8", (("location", location),))


def _response(page: Page) -> Response:
    route = addresses.parse(page.path)
    headers = [("cache-control", KEEP_A_MINUTE)]
    if page.location is not None:
        headers.append(("location", page.location))
    if route is not None and route.kind in _FOR_PROGRAMS:
        headers += ANYWHERE
    body = page.body.encode() if isinstance(page.body, str) else page.body
    return Response(page.status, body, page.content_type, tuple(headers))
