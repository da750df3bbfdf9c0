"""Fuzzing HTTP: any address, query and body has an answer below 500, in the shape that it should.

The application is the real one, Datasette and all, spoken to in ASGI itself, so that no client
can put a query right before it is asked. Over a real socket, `tests/test_api_description.py`
and `tests/test_serve_peer.py` ask.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasette_errdex.asgi import App, Message
from datasette_errdex.configured import datasette_for
from datasette_errdex.options import Options
from errdex.errors import registry
from tests.fuzz.inputs import RECORDS, a_share, any_text, markup, pastes
from tests.parsed_html import Parsed

FIXED = (
    "/", "/match/", "/match", "/match.json", "/api/match", "/api/search", "/api/repos",
    "/api/openapi.json", "/api/errors/", "/api/", "/api", "/oembed", "/healthz", "/readyz",
    "/repos/", "/tags/", "/families/", "/codes/", "/e/", "/docs/", "/static/", "/data/",
    "/data/manifest.json", "/data/index.json.gz", "/feed.xml", "/robots.txt", "/_headers",
)  # fmt: skip
RIGHT = [
    *[f"/{record['repo']}/{record['slug']}/" for record in RECORDS[:5]],
    *[f"/api/errors/{record['id']}" for record in RECORDS[:3]],
    *[f"/e/{record['id']}" for record in RECORDS[:3]],
    f"/{RECORDS[0]['repo']}/",
    f"/tags/{RECORDS[0]['tags'][0]}/",
]
SEGMENTS = st.one_of(
    st.sampled_from(
        ["..", ".", "", "a", "api", "e", "tags", "page", "1", "2", "-1", "9" * 30, "%2e", "\x00",
         "é", "codes", "~", "a\\b", "\u202e", "x" * 300, "0" * 16, "record.json", "index.html"]
    ),
    st.text(max_size=8),
)  # fmt: skip
OURS = st.sampled_from(
    ["/match/", "/match.json", "/api/match", "/api/search", "/api/errors/x", "/oembed"]
)
paths = st.one_of(
    st.sampled_from(FIXED),
    st.sampled_from(RIGHT),
    st.builds(lambda base, more: base + more, st.sampled_from(RIGHT), SEGMENTS),
    st.lists(SEGMENTS, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts)),
).filter(lambda path: not path.startswith(("/db", "/-", "/:memory:", "/_internal")))
NAMES = st.sampled_from(["q", "text", "limit", "page", "repo", "tag", "url", "format", "x", ""])
VALUES = st.one_of(
    st.sampled_from(
        ["1", "0", "-1", "1e9", "9" * 400, "\u0663", "NaN", "%", "%zz", "%00", "%ff", "+", "a,b,,",
         "sgl-project/sglang", "http://[", "http://x/e/0000000000000000", "json", "NEAR(", '"']
    ),
    any_text,
    pastes,
)  # fmt: skip


def quoted(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))


pairs = st.tuples(NAMES, st.one_of(VALUES.map(quoted), VALUES)).map("=".join)
queries = st.one_of(
    st.binary(max_size=80),
    st.lists(pairs, max_size=4).map(lambda given: "&".join(given).encode("utf-8", "replace")),
)
bodies = st.one_of(
    st.binary(max_size=200),
    pastes.map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.dictionaries(
        st.sampled_from(["text", "limit", "repo", "tags", "x"]),
        st.one_of(pastes, st.none(), st.integers(), st.floats(), st.lists(any_text, max_size=3)),
    ).map(lambda value: json.dumps(value).encode()),
)
kinds = st.sampled_from(
    ["text/plain", "application/json", "application/x-www-form-urlencoded", "multipart/form-data",
     "application/json; charset=utf-16", "", "é/\x00", "text/plain;" + "x" * 5000]
)  # fmt: skip


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Asker:
    """Asks one application, with an event loop of its own."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._loop = asyncio.new_event_loop()

    def close(self) -> None:
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def ask(
        self, path: str, query: bytes = b"", method: str = "GET", body: bytes = b"", kind: str = ""
    ) -> Answer:
        return self._loop.run_until_complete(self._ask(path, query, method, body, kind))

    async def _ask(self, path: str, query: bytes, method: str, body: bytes, kind: str) -> Answer:
        sent: list[Message] = []
        raw = path.encode("utf-8", "surrogatepass")
        scope: dict[str, object] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": raw.decode("utf-8", "replace"),
            "raw_path": raw,
            "query_string": query,
            "headers": [
                (b"host", b"127.0.0.1"),
                (b"content-type", kind.encode("latin-1", "replace")),
            ],
            "client": ("127.0.0.1", 5),
            "server": ("127.0.0.1", 80),
        }

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        first, *rest = sent
        assert isinstance(first["status"], int)
        headers = {
            name.decode().lower(): value.decode("latin-1")
            for name, value in first["headers"]  # type: ignore[attr-defined]  # pairs of bytes
        }
        return Answer(first["status"], headers, b"".join(bytes(m["body"]) for m in rest))  # type: ignore[call-overload]  # bytes


@pytest.fixture(scope="module")
def asker(case_database: Path) -> Iterator[Asker]:
    made = Asker(datasette_for(Options(case_database)).app())
    yield made
    made.close()


def assert_well_formed(answer: Answer, path: str) -> None:
    """Below 500, under our policy, and in the shape that its kind of answer has."""
    assert answer.status < 500, answer.body[:500]
    assert "x-content-type-options" in answer.headers
    kind = answer.headers.get("content-type", "")
    if answer.status >= 400 and path.startswith(("/api/", "/match.json", "/oembed")):
        assert kind.startswith("application/json")
        told = json.loads(answer.body)
        assert set(told) == {"error"}
        assert set(told["error"]) == {"status", "code", "message"}
        assert told["error"]["status"] == answer.status
        assert told["error"]["code"] in registry()
    elif kind.startswith("application/json"):
        json.loads(answer.body)
    elif kind.startswith("text/html"):
        parsed = Parsed(answer.body.decode())
        assert parsed.faults == []
        assert parsed.strangers() == [] or path.startswith("/docs/")  # ours, linked relatively


@a_share(3)
@given(OURS, queries)
def test_any_query_has_an_answer_below_500(asker: Asker, path: str, query: bytes) -> None:
    assert_well_formed(asker.ask(path, query), path)


@a_share(3)
@given(paths, st.sampled_from([b"", b"q=x", b"page=2", b"_size=max"]))
def test_any_path_has_an_answer_below_500(asker: Asker, path: str, query: bytes) -> None:
    assert_well_formed(asker.ask(path, query), path)


@a_share(2)
@given(st.sampled_from(["/match/", "/api/match", "/match.json"]), bodies, kinds, queries)
def test_any_body_has_an_answer_below_500(
    asker: Asker, path: str, body: bytes, kind: str, query: bytes
) -> None:
    assert_well_formed(asker.ask(path, query, "POST", body, kind), path)


@given(OURS, st.sampled_from(["PUT", "DELETE", "PATCH", "TRACE", "BREW", "get", ""]), queries)
def test_any_method_has_an_answer_below_500(
    asker: Asker, path: str, method: str, query: bytes
) -> None:
    assert asker.ask(path, query, method).status == 405


@given(markup)
def test_markup_in_a_query_is_shown_as_text(asker: Asker, written: str) -> None:
    answer = asker.ask("/match/", f"q={quoted(written)}".encode())
    assert answer.status in (200, 414)
    assert_well_formed(answer, "/match/")
