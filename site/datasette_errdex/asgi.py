"""One HTTP call as values: what was asked, and what is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, cast
from urllib.parse import parse_qsl

from datasette_errdex.spool import Spool
from errdex.errors import BodyTooLarge, BodyTooSlow, QueryTooLong, QueryUnreadable

Scope = dict[str, object]
Message = dict[str, object]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_MAX_QUERY = 16 * 1024
"""Bytes of a query string."""
_MAX_PARAMETERS = 20
_BODY_SECONDS = 30
"""A client that takes longer to send its body is cut off."""


class Response(NamedTuple):
    """What is sent back, before the headers that every answer gets."""

    status: int
    body: bytes | Spool
    content_type: str
    headers: tuple[tuple[str, str], ...] = ()


class Gone(Exception):
    """The client went away before it had sent everything; nobody waits for an answer."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request, without its body."""

    method: str
    path: str
    """Decoded, beginning with `/`, without the folder that the site is mounted under."""
    query_string: bytes
    headers: dict[str, str]
    """By lower-case name; of a repeated one the last."""
    client: str
    """The network address that it came from, empty when unknown."""
    receive: Receive

    @classmethod
    def of(cls, scope: Scope, receive: Receive, mount: str) -> Call:
        """The call that an ASGI scope describes; `mount` is `/` or ends in it."""
        path = cast("str", scope["path"])
        if mount != "/" and path.startswith(mount):
            path = path[len(mount) - 1 :]
        raw = cast("Iterable[tuple[bytes, bytes]]", scope.get("headers", ()))
        client = cast("tuple[str, int] | None", scope.get("client"))
        return cls(
            method=cast("str", scope["method"]),
            path=path,
            query_string=cast("bytes", scope.get("query_string", b"")),
            headers={name.decode("latin-1"): value.decode("latin-1") for name, value in raw},
            client=client[0] if client else "",
            receive=receive,
        )

    def query(self) -> dict[str, str]:
        """The parameters of the address, of a repeated one the last."""
        if len(self.query_string) > _MAX_QUERY:
            raise QueryTooLong(limit=_MAX_QUERY)
        return parameters(self.query_string)

    async def body(self, limit: int) -> bytes:
        """The whole body, at most `limit` bytes. Raises BodyTooLarge, BodyTooSlow or Gone."""
        stated = self.headers.get("content-length", "")
        if stated.isdecimal() and int(stated[:20]) > limit:
            raise BodyTooLarge(limit=limit)
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                return await self._read(limit)
        except TimeoutError:
            raise BodyTooSlow(limit=_BODY_SECONDS) from None

    async def _read(self, limit: int) -> bytes:
        pieces = bytearray()
        more = True
        while more:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise Gone
            pieces += cast("bytes", message.get("body", b""))
            more = bool(message.get("more_body", False))
            if len(pieces) > limit:
                raise BodyTooLarge(limit=limit)
        return bytes(pieces)


def parameters(encoded: bytes) -> dict[str, str]:
    """`a=1&b=2` → its names and values. Raises QueryUnreadable."""
    try:
        pairs = parse_qsl(
            encoded.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MAX_PARAMETERS,
        )
    except UnicodeDecodeError:
        raise QueryUnreadable(reason="it is not percent-encoded UTF-8") from None
    except ValueError:
        raise QueryUnreadable(reason=f"it has over {_MAX_PARAMETERS} parameters") from None
    return dict(pairs)
