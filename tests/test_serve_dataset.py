"""The published dataset, live: its own clients read it, and so do we."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from datasette.app import Datasette

from datasette_errdex.configured import datasette_for
from datasette_errdex.options import Options
from errdex.cli import main

SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
CASES = Path(__file__).parent / "cases" / "records.jsonl"

pytestmark = pytest.mark.asyncio


def ingest(database: Path, source: Path) -> None:
    result = CliRunner().invoke(main, ["ingest", str(source), "--db", str(database)])
    assert result.exit_code == 0, result.output


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "errdex.db"
    ingest(path, CASES)
    return path


@pytest.fixture
def service(database: Path) -> Datasette:
    return datasette_for(Options(database))


async def test_the_manifest_states_size_and_hash_of_each_file(service: Datasette) -> None:
    manifest = (await service.client.get("/data/manifest.json")).json()
    for stated in manifest["files"].values():
        content = (await service.client.get(f"/data/{stated['path']}")).content
        assert len(content) == stated["bytes"]
        assert hashlib.sha256(content).hexdigest() == stated["sha256"]


async def test_the_index_has_a_short_entry_for_each_record(service: Datasette) -> None:
    response = await service.client.get("/data/index.json.gz")
    assert response.headers["content-type"] == "application/gzip"
    index = json.loads(gzip.decompress(response.content))
    assert len(index["errors"]) == len(CASES.read_text().splitlines())
    assert " ".join(index["errors"][0]) == "id repo slug code msg pattern type cls tags sev"


async def test_each_repo_has_a_file_with_its_records(service: Datasette) -> None:
    repos = (await service.client.get("/data/repos.json")).json()
    for repo in repos:
        records = (await service.client.get(f"/data/repos/{repo['repo']}.json")).json()
        assert len(records) == repo["errorCount"]
        assert {record["repo"] for record in records} == {repo["repo"]}


async def test_the_dataset_is_made_anew_after_an_import(service: Datasette, database: Path) -> None:
    before = await service.client.get("/data/manifest.json")
    again = await service.client.get(
        "/data/manifest.json", headers={"if-none-match": before.headers["etag"]}
    )
    assert again.status_code == 304
    ingest(database, SEED)
    after = await service.client.get(
        "/data/manifest.json", headers={"if-none-match": before.headers["etag"]}
    )
    assert after.json()["counts"]["errors"] == before.json()["counts"]["errors"] + 1


async def test_head_states_the_size_without_the_file(service: Datasette) -> None:
    head = await service.client.head("/data/index.json.gz")
    get = await service.client.get("/data/index.json.gz")
    assert head.content == b""
    assert head.headers["content-length"] == str(len(get.content))
    assert head.headers["etag"] == get.headers["etag"]


@pytest.mark.parametrize(
    "path", ["/data/", "/data/nope.json", "/data/repos/no/such.json", "/data/repos/../x.json"]
)
async def test_other_names_are_not_there(service: Datasette, path: str) -> None:
    assert (await service.client.get(path)).status_code == 404
