"""oEmbed: what a link to an error shows when it is pasted where oEmbed is understood."""

from __future__ import annotations

from urllib.parse import urlsplit

from datasette_errdex.api import answer
from datasette_errdex.asgi import Call, Response
from datasette_errdex.readers import Reader
from datasette_errdex.service import Service
from errdex.database.queries import entry_by_id, entry_by_slug
from errdex.errors import AddressUnknown, ParameterWrong
from errdex.outline import headline
from errdex.records import Entry
from errdex_site import addresses

_KEEP_SECONDS = 3600
_MAX_TITLE = 300


async def oembed(call: Call, service: Service) -> Response:
    """`/oembed?url=…`: a link with a title. It holds no HTML, so that nothing can be injected."""
    query = call.query()
    url = query.get("url", "")
    if query.get("format", "json") != "json":
        raise ParameterWrong(name="format", found=repr(query["format"][:40]), expected="json")
    if not url:
        raise ParameterWrong(name="url", found="missing", expected="the address of an error")
    try:
        path = urlsplit(url).path
    except ValueError:
        path = ""
    if service.mount != "/" and path.startswith(service.mount):
        path = path[len(service.mount) - 1 :]
    route = addresses.parse(path)

    def ask(reader: Reader) -> Entry | None:
        if route is not None and route.kind == "short":
            return entry_by_id(reader.connection, route.name)
        if route is not None and route.kind == "error":
            return entry_by_slug(reader.connection, route.name, route.slug)
        return None

    entry = await service.readers.ask(ask)
    if entry is None:
        raise AddressUnknown(path=url[:200])
    title = headline(entry.record)
    return answer(
        {
            "version": "1.0",
            "type": "link",
            "title": title if len(title) <= _MAX_TITLE else title[: _MAX_TITLE - 1] + "…",
            "author_name": entry.record.repo,
            "provider_name": "errdex",
            "cache_age": _KEEP_SECONDS,
        }
    )
