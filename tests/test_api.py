"""The JSON interface: what it answers, how it refuses, and that its description is true."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from datasette.app import Datasette
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasette_errdex import texts
from datasette_errdex.configured import datasette_for
from datasette_errdex.options import Options
from errdex.cli import main
from errdex.database.connection import open_for_reading
from errdex.database.search import search

ROOT = Path(__file__).parent.parent
SEED = ROOT / "data" / "seed.jsonl"
CASES = ROOT / "tests" / "cases" / "records.jsonl"
ID = "aaead811d0809fef"
PASTE = (
    "ValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding does not support"
    " SGLANG_ENABLE_OVERLAP_PLAN_STREAM=1: LoRA batch preparation would run on the plan"
    " stream, unordered against in-flight forwards."
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("api") / "errdex.db"
    result = CliRunner().invoke(main, ["ingest", str(SEED), str(CASES), "--db", str(path)])
    assert result.exit_code == 0, result.output
    return path


@pytest.fixture(scope="module")
def service(database: Path) -> Datasette:
    return datasette_for(Options(database))


def failure(status: int, code: str, message: str) -> dict[str, object]:
    return {"error": {"status": status, "code": code, "message": message}}


@pytest.mark.asyncio
@pytest.mark.parametrize("path", ["/api/match", "/match.json"])
async def test_a_text_in_the_address_is_matched(service: Datasette, path: str) -> None:
    response = await service.client.get(f"{path}?q={quote(PASTE)}")
    assert response.status_code == 200
    first = response.json()["matches"][0]
    assert first["id"] == ID
    assert first["tier"] == "exact"
    assert first["values"]["reason"].startswith("does not support SGLANG_ENABLE_OVERLAP")
    assert first["values"]["reason"].endswith("unordered against in-flight forwards")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PASTE.encode(), "text/plain"),
        (json.dumps({"text": PASTE}).encode(), "application/json; charset=utf-8"),
        (f"q={quote(PASTE)}".encode(), "application/x-www-form-urlencoded"),
    ],
)
async def test_a_posted_text_is_matched_in_each_form(
    service: Datasette, content: bytes, kind: str
) -> None:
    response = await service.client.post(
        "/api/match", content=content, headers={"content-type": kind}
    )
    assert response.json()["matches"][0]["id"] == ID
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.asyncio
async def test_the_answer_is_the_one_of_the_command_line(
    service: Datasette, database: Path
) -> None:
    result = CliRunner().invoke(
        main, ["match", PASTE, "--json", "--limit", "10", "--db", str(database)]
    )
    response = await service.client.get(f"/api/match?q={quote(PASTE)}")
    assert response.json() == json.loads(result.output)


@pytest.mark.asyncio
async def test_limit_and_repo_narrow_the_answer(service: Datasette) -> None:
    both = f"{PASTE}\n{PASTE}"
    other = await service.client.post("/api/match", json={"text": both, "repo": "no/such"})
    assert other.json()["matches"] == []
    one = await service.client.post("/api/match", json={"text": both, "limit": 1})
    assert len(one.json()["matches"]) == 1


@pytest.mark.asyncio
async def test_a_text_without_an_error_has_no_claimed_match(service: Datasette) -> None:
    response = await service.client.get("/api/match?q=all%20is%20well")
    assert [m for m in response.json()["matches"] if m["claimed"]] == []


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        (
            "/api/match",
            failure(400, "ED514", "parameter q is missing; give the text to match."),
        ),
        (
            "/api/match?q=x&limit=0",
            failure(400, "ED514", "parameter limit is '0'; give 1 to 50."),
        ),
        (
            "/api/match?q=x&limit=ten",
            failure(400, "ED514", "parameter limit is 'ten'; give 1 to 50."),
        ),
        (
            "/api/search?q=",
            failure(400, "ED514", "parameter q is missing; give words to search for."),
        ),
        (
            "/api/search?q=x&page=101",
            failure(400, "ED514", "parameter page is '101'; give 1 to 100."),
        ),
        (
            "/api/errors/0000000000000000",
            failure(
                404,
                "ED515",
                "there is nothing at /api/errors/0000000000000000;"
                " /api/openapi.json lists what there is.",
            ),
        ),
        (
            "/api/nope",
            failure(
                404,
                "ED515",
                "there is nothing at /api/nope; /api/openapi.json lists what there is.",
            ),
        ),
        (
            "/api/match?q=" + "x" * 17000,
            failure(
                414,
                "ED512",
                "the query is longer than 16384 bytes; send the text as the body of a POST.",
            ),
        ),
        (
            "/api/match?" + "a=1&" * 30,
            failure(
                400,
                "ED518",
                "the query cannot be read (it has over 20 parameters); send name=value pairs.",
            ),
        ),
    ],
)
async def test_a_wrong_question_gets_a_sentence(
    service: Datasette, path: str, refusal: dict[str, object]
) -> None:
    response = await service.client.get(path)
    assert response.json() == refusal
    assert response.status_code == refusal["error"]["status"]  # type: ignore[index]  # our shape
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("content", "kind", "reason"),
    [
        (b"{", "application/json", "Input data was truncated"),
        (b'{"text": 1}', "application/json", "Expected `str`, got `int` - at `$.text`"),
        (b"{}", "application/json", "Object missing required field `text`"),
        (b"[" * 100_000, "application/json", "Expected `object`, got `array`"),
        (b"--x\r\n", "multipart/form-data; boundary=x", "it is multipart/form-data"),
    ],
)
async def test_a_body_that_cannot_be_read_gets_a_sentence(
    service: Datasette, content: bytes, kind: str, reason: str
) -> None:
    response = await service.client.post(
        "/api/match", content=content, headers={"content-type": kind}
    )
    assert response.status_code == 400
    assert response.json()["error"]["message"] == (
        f"the body cannot be read ({reason});"
        ' send UTF-8 text, or JSON such as {"text": "ValueError: …"}.'
    )


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "content",
    [
        b"ValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding is off.",
        b"x=1&y=2\nValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding is off.",
        b"&" * 100 + b" LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding is off.",
    ],
)
async def test_a_text_that_curl_calls_a_form_is_taken_as_the_text(
    service: Datasette, content: bytes
) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    response = await service.client.post("/api/match", content=content, headers=form)
    assert [match["id"] for match in response.json()["matches"] if match["claimed"]] == [ID]


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", ["text/plain", "application/json"])
async def test_a_text_of_one_megabyte_is_taken_and_a_larger_one_refused(
    service: Datasette, kind: str
) -> None:
    for size, status in ((texts.MAX_BYTES, 200), (texts.MAX_BYTES + 1, 413)):
        text = "x" * (size - 1) + "\n"
        content = json.dumps({"text": text}) if kind == "application/json" else text
        response = await service.client.post(
            "/api/match", content=content.encode(), headers={"content-type": kind}
        )
        assert response.status_code == status
    assert response.json() == failure(
        413,
        "ED511",
        "the text is larger than 1000000 bytes; send the part that holds the error.",
    )


@pytest.mark.asyncio
async def test_a_record_comes_in_the_envelope_it_was_published_in(service: Datasette) -> None:
    for name in (ID, f"sgl-project/sglang/{json.loads(SEED.read_text())['record']['slug']}"):
        response = await service.client.get(f"/api/errors/{name}")
        assert response.json() == json.loads(SEED.read_text())


@pytest.mark.asyncio
async def test_repos_are_listed_with_their_counts(service: Datasette) -> None:
    listed = (await service.client.get("/api/repos")).json()["repos"]
    assert {"repo": "sgl-project/sglang", "errors": 1} in listed
    assert [entry["repo"] for entry in listed] == sorted(entry["repo"] for entry in listed)


@pytest.mark.asyncio
async def test_search_finds_words_and_marks_them(service: Datasette) -> None:
    found = (await service.client.get("/api/search?q=EAGLE%20spec")).json()
    assert found["results"][0]["id"] == ID
    assert found["results"][0]["path"].startswith("/sgl-project/sglang/")
    hits = {piece["text"] for piece in found["results"][0]["snippet"] if piece["hit"]}
    assert "EAGLE" in hits
    assert "speculative" in hits


@pytest.mark.asyncio
async def test_search_is_paged(service: Datasette) -> None:
    first = (await service.client.get("/api/search?q=error&limit=3")).json()
    second = (await service.client.get("/api/search?q=error&limit=3&page=2")).json()
    assert first["total"] > 6
    assert first["next"] == 2
    assert len(first["results"]) == len(second["results"]) == 3
    assert {r["id"] for r in first["results"]}.isdisjoint(r["id"] for r in second["results"])
    last = (await service.client.get("/api/search?q=error&limit=100")).json()
    assert last["next"] is None
    assert len(last["results"]) == last["total"]


@pytest.mark.parametrize(
    "text", ["I/O error", 'a "b" c', "NEAR(", "x AND", "col:val", "*", "' OR 1"]
)
def test_search_takes_no_syntax(database: Path, text: str) -> None:
    connection = open_for_reading(database)
    search(connection, text)
    connection.close()


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=200))
def test_search_answers_any_text(database: Path, text: str) -> None:
    connection = open_for_reading(database)
    found = search(connection, text)
    connection.close()
    assert found.total >= len(found.hits)


@pytest.mark.asyncio
async def test_other_sites_may_read_the_api_and_ask_first(service: Datasette) -> None:
    answer = await service.client.get("/api/repos")
    assert answer.headers["access-control-allow-origin"] == "*"
    refusal = await service.client.get("/api/match")
    assert refusal.headers["access-control-allow-origin"] == "*"
    asked = await service.client.options("/api/match", headers={"origin": "https://a.example"})
    assert asked.status_code == 204
    assert asked.headers["access-control-allow-origin"] == "*"
    assert "POST" in asked.headers["access-control-allow-methods"]


@pytest.mark.asyncio
async def test_a_wrong_method_is_refused_with_the_right_ones(service: Datasette) -> None:
    response = await service.client.delete("/api/match")
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD, POST"
    assert response.json() == failure(
        405, "ED516", "/api/match does not take DELETE; use GET, HEAD, POST."
    )


@pytest.mark.asyncio
@pytest.mark.parametrize("host", ["https://errors.example.org", "http://localhost"])
async def test_oembed_names_the_error_of_a_link(service: Datasette, host: str) -> None:
    page = "/sgl-project/sglang/lora-with-eagle-nextn-eagle3-speculative-decoding/"
    for path in (page, f"/e/{ID}"):
        response = await service.client.get(f"/oembed?url={quote(host + path)}")
        assert response.json() == {
            "version": "1.0",
            "type": "link",
            "title": "ValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding {reason}.",
            "author_name": "sgl-project/sglang",
            "provider_name": "errdex",
            "cache_age": 3600,
        }


@pytest.mark.asyncio
async def test_an_error_page_says_where_oembed_tells_about_it(service: Datasette) -> None:
    page = "/sgl-project/sglang/lora-with-eagle-nextn-eagle3-speculative-decoding/"
    link = (await service.client.get(page)).headers["link"]
    target, kind = link.split("; ", 1)
    assert kind == 'rel="alternate"; type="application/json+oembed"'
    assert (await service.client.get(target.strip("<>"))).json()["author_name"] == (
        "sgl-project/sglang"
    )


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("query", "status"),
    [("", 400), ("?url=http://[", 404), ("?url=http://x/nope", 404), ("?url=/&format=xml", 400)],
)
async def test_oembed_refuses_what_is_no_error(service: Datasette, query: str, status: int) -> None:
    assert (await service.client.get(f"/oembed{query}")).status_code == status


@pytest.mark.asyncio
async def test_sql_can_match_a_text(database: Path) -> None:
    service = datasette_for(Options(database, allow_sql=True))
    sql = "select value ->> 'id' as id from json_each(errdex_match(:text)) limit 1"
    response = await service.client.get(
        f"/db.json?sql={quote(sql)}&text={quote(PASTE)}&_shape=array", follow_redirects=True
    )
    assert response.json() == [{"id": ID}]


@pytest.mark.asyncio
@pytest.mark.parametrize(("filler", "found"), [(19_000, 1), (21_000, 0)])
async def test_sql_matches_the_first_20000_characters(
    database: Path, filler: int, found: int
) -> None:
    service = datasette_for(Options(database, allow_sql=True))
    sql = (
        f"select count(*) as n from json_each(errdex_match(printf('%*s', {filler}, '') || :text))"
        f" where value ->> 'id' = '{ID}'"
    )
    response = await service.client.get(
        f"/db.json?sql={quote(sql)}&text={quote(chr(10) + PASTE)}&_shape=array",
        follow_redirects=True,
    )
    assert response.json() == [{"n": found}]


@pytest.mark.asyncio
async def test_every_address_of_the_description_exists(service: Datasette) -> None:
    described = (await service.client.get("/api/openapi.json")).json()
    for path in described["paths"]:
        filled = path.replace("{id}", ID).replace("{owner}/{repo}/{slug}", "a/b/c")
        response = await service.client.get(filled)
        assert response.status_code != 404 or filled.endswith("a/b/c"), path


def test_the_description_names_every_field_of_a_match() -> None:
    from errdex.match.answers import Answer, Match

    described = json.loads((ROOT / "site" / "datasette_errdex" / "openapi.json").read_text())[
        "components"
    ]["schemas"]
    match = Match(*["a"] * 5, "m", "error", "exact", 0.5, True, 0, 1.0, {}, [], [], 1)
    answer = Answer([match], secret=False)
    assert set(described["Answer"]["properties"]) == set(answer.as_json())
    of_record = {"githubUrl", "solutions"}
    assert set(described["Match"]["properties"]) == set(match.as_json()) | of_record
