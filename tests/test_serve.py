"""The live service on Datasette: who answers which address, and with which headers.

These tests use only what Datasette 0.65 and 1.0 both have; CI runs them on both.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner
from datasette.app import Datasette

from datasette_errdex.configured import datasette_for
from datasette_errdex.options import Options
from errdex.cli import main

ROOT = Path(__file__).parent.parent
SEED = ROOT / "data" / "seed.jsonl"
CASES = ROOT / "tests" / "cases" / "records.jsonl"
ID = "aaead811d0809fef"
PAGE = "/sgl-project/sglang/lora-with-eagle-nextn-eagle3-speculative-decoding/"

pytestmark = pytest.mark.asyncio


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("serve") / "records.db"
    result = CliRunner().invoke(main, ["ingest", str(SEED), str(CASES), "--db", str(path)])
    assert result.exit_code == 0, result.output
    return path


@pytest.fixture(scope="module")
def service(database: Path) -> Datasette:
    return datasette_for(Options(database))


@pytest.mark.parametrize(
    "path",
    ["/", "/match/", "/repos/", "/tags/", "/sgl-project/sglang/", PAGE, "/tags/lora/"],
)
async def test_pages_of_the_site_are_served(service: Datasette, path: str) -> None:
    response = await service.client.get(path)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "datasette" not in response.text.lower()


async def test_the_page_is_the_one_that_the_site_makes(service: Datasette, database: Path) -> None:
    from errdex.database.connection import open_for_reading
    from errdex_site.pages import Site

    made = Site(open_for_reading(database), live=True).page(PAGE)
    response = await service.client.get(PAGE)
    body = made.body if isinstance(made.body, bytes) else made.body.encode()
    assert response.content == body


@pytest.mark.parametrize("path", ["/-/versions.json", "/-/plugins.json", "/-/databases.json"])
async def test_addresses_of_datasette_stay_its_own(service: Datasette, path: str) -> None:
    response = await service.client.get(path)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("application/json")


@pytest.mark.parametrize("path", ["/db", "/db/errors", "/db/errors/1", "/db.json"])
async def test_tables_of_the_database_stay_reachable(service: Datasette, path: str) -> None:
    response = await service.client.get(path)
    assert response.status_code == 200


async def test_cells_of_the_tables_link_to_pages_and_show_markdown(service: Datasette) -> None:
    number = (await service.client.get(f"/db/errors.json?id={ID}&_shape=array")).json()[0]["number"]
    row = (await service.client.get(f"/db/errors/{number}")).text
    assert f'<a href="/e/{ID}">{ID}</a>' in row
    assert f'<a href="{PAGE}">' in row
    assert "<ol><li>Follow {reason}: disable" in row
    assert "<pre># before\n--speculative-algorithm" in row


async def test_a_hostile_cell_is_escaped(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>[x](javascript:alert(1))"
    line = json.loads(SEED.read_text())
    for field in ("documentation", "triggerScenarios", "exampleFix", "sourceCode", "errorMessage"):
        line["record"][field] = evil
    line["record"]["solutions"] = [evil]
    (tmp_path / "evil.jsonl").write_text(json.dumps(line) + "\n")
    path = tmp_path / "x.db"
    source = str(tmp_path / "evil.jsonl")
    assert CliRunner().invoke(main, ["ingest", source, "--db", str(path)]).exit_code == 0
    text = (await datasette_for(Options(path)).client.get("/db/errors/1")).text
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert 'href="javascript:' not in text


async def test_an_owner_may_share_its_name_with_the_database(tmp_path: Path) -> None:
    """`/errdex/errors/` is the repo's page, `/errdex/errors` is the table's."""
    records = tmp_path / "records.jsonl"
    records.write_text(SEED.read_text().replace("sgl-project/sglang", "errdex/errors", 1))
    path = tmp_path / "errdex.db"
    assert CliRunner().invoke(main, ["ingest", str(records), "--db", str(path)]).exit_code == 0
    service = Datasette(files=[str(path)])
    ours = await service.client.get("/errdex/errors/")
    theirs = await service.client.get("/errdex/errors")
    assert (ours.status_code, theirs.status_code) == (200, 200)
    assert "/-/static/app.css" in theirs.text
    assert "/-/static/app.css" not in ours.text


async def test_a_database_with_a_slash_too_many_is_left_to_datasette(service: Datasette) -> None:
    response = await service.client.get("/db/repos/")
    assert response.status_code in (301, 302)
    assert response.headers["location"] == "/db/repos"


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/match", "/match/"),
        ("/sgl-project/sglang", "/sgl-project/sglang/"),
        (PAGE[:-1], PAGE),
        ("/e/ids/aa.json/", "/e/ids/aa.json"),
        ("/api/repos/", "/api/repos"),
    ],
)
async def test_a_wrong_slash_is_set_right(service: Datasette, path: str, location: str) -> None:
    response = await service.client.get(path)
    assert response.status_code in (301, 308)
    assert response.headers["location"] == location


@pytest.mark.parametrize("path", [f"/e/{ID}", f"/e/{ID}/"])
async def test_a_short_link_leads_to_the_page(service: Datasette, path: str) -> None:
    response = await service.client.get(path)
    assert response.status_code in (301, 302, 307, 308)
    assert response.headers["location"] == PAGE


@pytest.mark.parametrize(
    "path",
    ["/nope", "/nope/", "/no/such/", "/no/such/page/", "/e/0000000000000000", "/static/no.css"],
)
async def test_what_is_not_there_gets_the_page_of_the_site(service: Datasette, path: str) -> None:
    response = await service.client.get(path)
    assert response.status_code == 404
    assert "/-/static/app.css" not in response.text


async def test_next_to_other_databases_alone_the_plugin_changes_nothing(tmp_path: Path) -> None:
    other = tmp_path / "data.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE manifest (a)")
    connection.commit()
    connection.close()
    service = Datasette(files=[str(other)])
    home = await service.client.get("/")
    table = await service.client.get("/data/manifest")
    assert "/-/static/app.css" in home.text
    assert table.status_code == 200
    assert "content-security-policy" not in home.headers


async def test_a_plain_datasette_serves_the_pages_too(database: Path) -> None:
    """`datasette records.db` with the plugin installed, without `errdex serve`."""
    service = Datasette(files=[str(database)])
    assert (await service.client.get(PAGE)).status_code == 200
    assert (await service.client.get("/records/errors")).status_code == 200


async def test_other_databases_are_served_beside_ours(database: Path, tmp_path: Path) -> None:
    other = tmp_path / "extra.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE words (a)")
    connection.commit()
    connection.close()
    service = Datasette(files=[str(database), str(other)])
    assert (await service.client.get("/extra/words")).status_code == 200
    assert (await service.client.get(PAGE)).status_code == 200


async def test_pages_live_under_a_strict_policy(service: Datasette) -> None:
    headers = (await service.client.get(PAGE)).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert "set-cookie" not in headers


async def test_pages_of_datasette_get_the_security_headers_too(service: Datasette) -> None:
    headers = (await service.client.get("/db/errors")).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "object-src 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/", PAGE, "/api/repos", f"/api/errors/{ID}"])
async def test_what_a_reader_has_is_not_sent_again(service: Datasette, path: str) -> None:
    first = await service.client.get(path)
    assert first.headers["cache-control"].startswith("public, max-age=")
    tag = first.headers["etag"]
    again = await service.client.get(path, headers={"if-none-match": f'"other", W/{tag}'})
    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["etag"] == tag
    other = await service.client.get(path, headers={"if-none-match": '"other"'})
    assert other.status_code == 200


async def test_head_is_get_without_a_body(service: Datasette) -> None:
    head, get = await service.client.head(PAGE), await service.client.get(PAGE)
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == str(len(get.content))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "BREW"])
async def test_a_page_takes_no_other_method(service: Datasette, method: str) -> None:
    response = await service.client.request(method, "/repos/")
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"q=ValueError%3A+x", "application/x-www-form-urlencoded"),
        (b"ValueError: x", "text/plain"),
        (b"ValueError: x \xff", "application/octet-stream"),
        (b'{"text": "ValueError: x"}', "application/json"),
    ],
)
async def test_a_paste_may_be_posted_from_anywhere_in_any_form(
    service: Datasette, content: bytes, kind: str
) -> None:
    headers = {"content-type": kind, "origin": "https://elsewhere.example", "cookie": "a=b"}
    response = await service.client.post("/match/", content=content, headers=headers)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-store"
    assert "etag" not in response.headers


async def test_an_answer_to_a_paste_in_the_address_is_never_kept(service: Datasette) -> None:
    response = await service.client.get("/match/?q=ValueError")
    assert response.headers["cache-control"] == "no-store"


async def test_nobody_runs_sql_of_their_own_by_default(service: Datasette) -> None:
    response = await service.client.get("/db.json?sql=select+1", follow_redirects=True)
    assert response.status_code == 403


async def test_sql_can_be_allowed(database: Path) -> None:
    service = datasette_for(Options(database, allow_sql=True))
    query = "sql=select+json_array_length(errdex_match('x'))+as+n&_shape=array"
    response = await service.client.get(f"/db.json?{query}", follow_redirects=True)
    assert response.json() == [{"n": 0}]


async def test_the_file_itself_cannot_be_downloaded(service: Datasette) -> None:
    response = await service.client.get("/db.db")
    assert response.status_code in (403, 404)


async def test_a_fault_of_ours_is_a_sentence_and_its_query_is_not_logged(
    database: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from errdex.match.engine import Matcher

    def fail(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(Matcher, "match", fail)
    response = await datasette_for(Options(database)).client.get("/match.json?q=hunter2")
    assert response.status_code == 500
    assert response.json() == {
        "error": {
            "status": 500,
            "code": "internal",
            "message": "errdex failed at this request; the log of the service says why.",
        }
    }
    assert "GET /match.json failed" in caplog.text
    assert "hunter2" not in caplog.text
