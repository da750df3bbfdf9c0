"""The published dataset, live: `/data/…`, made once after each import.

The manifest states the size and hash of the index, so both mean a pass over all records.
They are made when they are first asked for, by one thread while others wait, and kept in
temporary files until the next import.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from datasette_errdex import pages
from datasette_errdex.asgi import Call, Response
from datasette_errdex.headers import ANYWHERE, KEEP_A_MINUTE
from datasette_errdex.readers import Reader, Readers
from datasette_errdex.service import Service
from datasette_errdex.spool import Spool
from errdex.database.snapshot import newest_import
from errdex_site import addresses

_KEPT = (addresses.MANIFEST, addresses.INDEX, addresses.INDEX_GZ, addresses.REPOS_JSON)


class _Key(NamedTuple):
    readers: Readers
    file: tuple[int, int] | None
    imported: int
    path: str


_shelf: dict[_Key, asyncio.Future[Spool | None]] = {}


async def dataset(call: Call, service: Service) -> Response:
    """One file of the dataset, or the site's 404."""
    readers, path = service.readers, call.path
    if path not in _KEPT:
        spool = await readers.ask(lambda reader: _spool(reader, path), "long")
    else:
        file, imported = await readers.ask(
            lambda reader: (reader.file, newest_import(reader.connection))
        )
        spool = await asyncio.shield(_kept(_Key(readers, file, imported, path)))
    if spool is None:
        return await pages.page(call, service)
    kind = "application/gzip" if path.endswith(".gz") else "application/json"
    return Response(200, spool, kind, (("cache-control", KEEP_A_MINUTE), *ANYWHERE))


def _kept(key: _Key) -> asyncio.Future[Spool | None]:
    """The file that is being made or was made; older states are forgotten."""
    known = _shelf.get(key)
    if known is not None and not (known.done() and known.exception()):
        return known
    for old in [old for old in _shelf if old.readers is key.readers and old[1:3] != key[1:3]]:
        del _shelf[old]
    made = asyncio.ensure_future(key.readers.ask(lambda reader: _spool(reader, key.path), "long"))
    _shelf[key] = made
    return made


def _spool(reader: Reader, path: str) -> Spool | None:
    chunks = reader.site.chunks(path)
    return None if chunks is None else Spool(chunks)
