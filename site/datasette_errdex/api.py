"""The JSON interface: `/api/…` and `/match.json`. `openapi.json` beside it describes it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from datasette_errdex import texts
from datasette_errdex.asgi import Call, Response
from datasette_errdex.headers import ANYWHERE, KEEP_A_MINUTE, KEEP_AN_HOUR, KEEP_NOWHERE
from datasette_errdex.readers import Reader
from datasette_errdex.service import Service
from errdex.database.fixes import fixes_of
from errdex.database.queries import entry_by_name, repos
from errdex.database.search import Found, search
from errdex.encode import encode_envelope
from errdex.errors import (
    AddressUnknown,
    ErrdexError,
    ParameterWrong,
    ServiceBusy,
    ServiceError,
    TooManyRequests,
)
from errdex.report.json import completed
from errdex_site import addresses
from errdex_site.pages import Page

JSON = "application/json"
ERRORS = "/api/errors/"
_MAX_HITS = 100
_MAX_PAGE = 100

_encoder = msgspec.json.Encoder()


def answer(value: object, *, status: int = 200, keep: str = KEEP_A_MINUTE) -> Response:
    """A value as JSON."""
    return Response(status, _encoder.encode(value), JSON, (("cache-control", keep), *ANYWHERE))


def failure(error: ErrdexError) -> Response:
    """Any error, in the one shape that errors have: `{"error": {status, code, message}}`."""
    status = error.status if isinstance(error, ServiceError) else 500
    value = {"error": {"status": status, "code": error.code, "message": str(error)}}
    response = answer(value, status=status, keep=KEEP_NOWHERE)
    if not isinstance(error, TooManyRequests | ServiceBusy):
        return response
    wait = ("retry-after", str(error.values["seconds"]))
    return response._replace(headers=(*response.headers, wait))


def broken() -> Response:
    """The answer to a request that met a fault of ours; the log has the rest."""
    message = "errdex failed at this request; the log of the service says why."
    value = {"error": {"status": 500, "code": "internal", "message": message}}
    return answer(value, status=500, keep=KEEP_NOWHERE)


async def match(call: Call, service: Service) -> Response:
    """`/api/match`: the records that a text holds the message of, best first."""
    if call.method == "POST":
        asked = await texts.posted_text(call)
    else:
        found = texts.matched_text(call.query())
        if found is None:
            raise ParameterWrong(name="q", found="missing", expected="the text to match")
        asked = found

    def ask(reader: Reader) -> bytes:
        answer = asked.answer(reader.matcher)
        fixes = fixes_of(reader.connection, [match.id for match in answer.matches])
        matches = [completed(match, fixes.get(match.id)) for match in answer.matches]
        return _encoder.encode({"matches": matches, "secret": answer.secret})

    body = await service.readers.ask(ask, asked.takes)
    return Response(200, body, JSON, (("cache-control", KEEP_NOWHERE), *ANYWHERE))


async def find(call: Call, service: Service) -> Response:
    """`/api/search`: full-text search, in pages."""
    query = call.query()
    words = query.get("q", "")
    if not words.strip():
        raise ParameterWrong(name="q", found="missing", expected="words to search for")
    limit = texts.whole_number(query, "limit", 20, _MAX_HITS)
    page = texts.whole_number(query, "page", 1, _MAX_PAGE)
    found = await service.readers.ask(
        lambda reader: search(reader.connection, words, limit=limit, offset=(page - 1) * limit),
        "long",
    )
    return answer(_found(found, page, limit))


def _found(found: Found, page: int, limit: int) -> dict[str, object]:
    results = [
        {
            "id": hit.heading.id,
            "repo": hit.heading.repo,
            "slug": hit.heading.slug,
            "errorClass": hit.heading.error_class,
            "errorCode": hit.heading.error_code,
            "errorMessage": hit.heading.error_message,
            "severity": hit.heading.severity,
            "path": addresses.error_path(hit.heading.repo, hit.heading.slug),
            "snippet": [{"text": piece.text, "hit": piece.hit} for piece in hit.snippet],
        }
        for hit in found.hits
    ]
    more = page * limit < found.total and page < _MAX_PAGE
    return {"total": found.total, "page": page, "next": page + 1 if more else None} | {
        "results": results
    }


async def error(call: Call, service: Service) -> Response:
    """`/api/errors/{id}` and `/api/errors/{owner}/{repo}/{slug}`: a record in its envelope."""
    name = call.path.removeprefix(ERRORS)

    def ask(reader: Reader) -> bytes | None:
        entry = entry_by_name(reader.connection, name)
        return None if entry is None else encode_envelope(entry)

    body = await service.readers.ask(ask)
    if body is None:
        raise AddressUnknown(path=call.path)
    return Response(200, body, JSON, (("cache-control", KEEP_A_MINUTE), *ANYWHERE))


async def list_repos(call: Call, service: Service) -> Response:
    """`/api/repos`: every repo, by name, and how many errors it has."""

    def make(reader: Reader) -> Page:
        listed = [{"repo": name, "errors": errors} for name, errors in repos(reader.connection)]
        return Page(call.path, 200, JSON, _encoder.encode({"repos": listed}).decode())

    made = await service.readers.ask(lambda reader: reader.once(call.path, lambda: make(reader)))
    body = made.body if isinstance(made.body, bytes) else made.body.encode()
    return Response(200, body, JSON, (("cache-control", KEEP_A_MINUTE), *ANYWHERE))


@cache
def _description() -> bytes:
    return (Path(__file__).parent / "openapi.json").read_bytes()


async def openapi(_call: Call, _service: Service) -> Response:
    """`/api/openapi.json`: what this interface offers, for programs."""
    return Response(200, _description(), JSON, (("cache-control", KEEP_AN_HOUR), *ANYWHERE))
