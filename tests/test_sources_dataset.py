"""A published dataset, from a folder and from a real server on this machine."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from errdex.errors import (
    DatasetBroken,
    DatasetMismatch,
    ErrdexError,
    SourceScheme,
    SourceUnfetched,
)
from errdex.load import Summary, ingest
from errdex.sources import web
from errdex.sources.dataset import manifest_address
from tests.dataset_server import WRONG, Server

SEED = json.loads((Path(__file__).parent.parent / "data" / "seed.jsonl").read_bytes())
V1, V2 = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


def record(number: int, repo: str, **fields: object) -> dict[str, object]:
    own = {"id": f"{number:016x}", "slug": f"s{number}", "repo": repo}
    return {**SEED["record"], **own, **fields}


def publish(folder: Path, version: str, repos: dict[str, list[dict[str, object]]]) -> None:
    """Write a dataset in the published layout."""
    (folder / "repos").mkdir(parents=True, exist_ok=True)
    facts = [
        {
            "repo": repo,
            "description": f"All of {repo}",
            "language": "Python",
            "stars": 5,
            "sourceFiles": 7,
            "defaultBranch": "main",
            "analyzedSha": "a" * 40,
            "analyzedAt": version,
            "errorCount": len(records),
        }
        for repo, records in repos.items()
    ]
    listed = json.dumps(facts).encode()
    (folder / "repos.json").write_bytes(listed)
    files = {
        "repos": {
            "path": "repos.json",
            "bytes": len(listed),
            "sha256": hashlib.sha256(listed).hexdigest(),
        }
    }
    for repo, records in repos.items():
        path = folder / "repos" / f"{repo}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(records))
    manifest = {
        "schemaVersion": 2,
        "datasetVersion": version,
        "counts": {"repos": len(repos), "errors": sum(map(len, repos.values()))},
        "files": files,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    publish(folder, V1, {"a/x": [record(1, "a/x"), record(2, "a/x")], "b/y": [record(3, "b/y")]})
    return folder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "errdex.db"


@pytest.fixture
def server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(web, "FIRST_PAUSE", 0.001)
    server = Server(folder)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def counts(summary: Summary) -> dict[str, int]:
    names = ("added", "changed", "unchanged", "older", "retired", "rejected")
    return {name: getattr(summary, name) for name in names if getattr(summary, name)}


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


# -- a folder -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "manifest.json"])
def test_a_dataset_in_a_folder_is_loaded_with_its_repos(
    folder: Path, path: Path, name: str
) -> None:
    assert counts(ingest([str(folder / name)], path)) == {"added": 3}
    assert rows(path, "SELECT repo, description, stars FROM repos") == [
        ("a/x", "All of a/x", 5),
        ("b/y", "All of b/y", 5),
    ]
    assert rows(path, "SELECT DISTINCT dataset_version FROM errors") == [(V1,)]
    assert counts(ingest([str(folder / name)], path)) == {"unchanged": 3}


def test_a_record_that_its_repo_has_no_more_is_retired(folder: Path, path: Path) -> None:
    ingest([str(folder)], path)
    publish(folder, V2, {"a/x": [record(1, "a/x", documentation="new")], "b/y": [record(3, "b/y")]})
    assert counts(ingest([str(folder)], path)) == {"changed": 1, "unchanged": 1, "retired": 1}
    assert rows(path, "SELECT id, retired_at FROM errors WHERE retired_at NOT NULL") == [
        (f"{2:016x}", V2)
    ]
    assert rows(path, "SELECT DISTINCT seen_version FROM error_sources WHERE error != 2") == [(V2,)]


def test_a_repo_without_records_retires_all_of_them(folder: Path, path: Path) -> None:
    ingest([str(folder)], path)
    publish(folder, V2, {"a/x": [], "b/y": [record(3, "b/y")]})
    assert counts(ingest([str(folder)], path)) == {"unchanged": 1, "retired": 2}


def test_an_older_dataset_changes_and_retires_nothing(folder: Path, path: Path) -> None:
    publish(folder, V2, {"a/x": [record(1, "a/x"), record(2, "a/x")]})
    ingest([str(folder)], path)
    publish(folder, V1, {"a/x": [record(1, "a/x", documentation="old")]})
    assert counts(ingest([str(folder)], path)) == {"unchanged": 1, "older": 1}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace("All of", "All in"), "sha256 "),
        (lambda text: text + " ", "bytes stated, "),
    ],
)
def test_a_file_that_differs_from_the_manifest_is_refused(
    folder: Path, path: Path, change: Callable[[str], str], reason: str
) -> None:
    repos = folder / "repos.json"
    repos.write_text(change(repos.read_text()))
    with pytest.raises(DatasetMismatch) as caught:
        ingest([str(folder)], path)
    assert str(caught.value).startswith(f"{repos} is not what the manifest says (")
    assert reason in str(caught.value)
    assert not path.exists()


@pytest.mark.parametrize(
    "named",
    ["../repos.json", "/etc/passwd", "a/../../x", "..", "a\\b", "http://x/y", "", "C:x", "a//b"],
)
def test_a_path_that_leaves_the_dataset_is_refused(folder: Path, path: Path, named: str) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["repos"]["path"] = named
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DatasetBroken) as caught:
        ingest([str(folder)], path)
    assert str(caught.value) == (
        f"{folder}/manifest.json is not part of a dataset (path {named!r} leaves its folder);"
        " check the address."
    )


@pytest.mark.parametrize("repo", ["../x", "a/..", "a/b/c", "a\\b"])
def test_a_repo_that_leaves_the_dataset_is_refused(folder: Path, path: Path, repo: str) -> None:
    publish(folder, V1, {"a/x": []})
    facts = json.dumps([{"repo": repo}])
    (folder / "repos.json").write_text(facts)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"] = {}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DatasetBroken):
        ingest([str(folder)], path)


# -- a server -----------------------------------------------------------------------------


def test_a_dataset_is_fetched_and_loaded(server: Server, path: Path) -> None:
    assert counts(ingest([server.address], path)) == {"added": 3}
    assert rows(path, "SELECT count(*) FROM repos WHERE description IS NOT NULL") == [(2,)]
    assert sorted(file.name for file in path.parent.iterdir()) == ["data", "errdex.db"]


def test_the_same_dataset_again_costs_one_request(server: Server, path: Path) -> None:
    ingest([server.address], path)
    server.log.clear()
    assert counts(ingest([server.address], path)) == {}
    assert [file for file, _, _ in server.log] == ["/data/manifest.json"]


def test_only_repos_that_changed_are_sent(server: Server, folder: Path, path: Path) -> None:
    ingest([server.address], path)
    new = record(2, "a/x", documentation="new")
    publish(folder, V2, {"a/x": [record(1, "a/x"), new], "b/y": [record(3, "b/y")]})
    server.log.clear()
    assert counts(ingest([server.address], path)) == {"changed": 1, "unchanged": 2}
    assert [status for status, _ in server.asked("a/x.json")] == [200]
    assert [status for status, _ in server.asked("b/y.json")] == [304]
    assert rows(path, "SELECT DISTINCT seen_version FROM error_sources") == [(V2,)]


def test_a_file_that_is_cut_is_gone_on_with(server: Server, folder: Path, path: Path) -> None:
    server.hurt = lambda file, times: "cut" if file.endswith("x.json") and times < 2 else None
    assert counts(ingest([server.address], path)) == {"added": 3}
    whole = (folder / "repos/a/x.json").stat().st_size
    rest = whole - whole // 2
    assert server.asked("a/x.json") == [(200, whole), (206, rest), (206, rest - rest // 2)]


def test_a_file_that_is_cut_is_fetched_anew_without_ranges(server: Server, path: Path) -> None:
    server.ranges = False
    server.hurt = lambda file, times: "cut" if file.endswith("x.json") and times < 2 else None
    assert counts(ingest([server.address], path)) == {"added": 3}
    assert [status for status, _ in server.asked("a/x.json")] == [200, 200, 200]


def test_a_later_import_goes_on_where_one_gave_up(server: Server, folder: Path, path: Path) -> None:
    server.hurt = lambda file, times: (
        ("cut" if times == 0 else "busy") if "x.json" in file else None
    )
    with pytest.raises(SourceUnfetched) as caught:
        ingest([server.address], path)
    assert str(caught.value).endswith(
        "/data/repos/a/x.json cannot be fetched (status 503, 5 times); nothing was loaded:"
        " try again later."
    )
    assert not path.exists()
    server.hurt = lambda file, times: None
    server.log.clear()
    assert counts(ingest([server.address], path)) == {"added": 3}
    assert [status for status, _ in server.asked("a/x.json")] == [206]


def test_a_server_that_is_busy_for_a_moment_is_waited_for(server: Server, path: Path) -> None:
    server.hurt = lambda file, times: "busy" if times < 2 else None
    assert counts(ingest([server.address], path)) == {"added": 3}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_server_that_does_wrong_is_told_and_nothing_is_lost(
    wrong: str, server: Server, path: Path
) -> None:
    ingest([server.address], path)
    server.hurt = lambda file, times: wrong
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE sources SET digest = 'another'")
        connection.commit()
    with pytest.raises(SourceUnfetched) as caught:
        ingest([server.address], path)
    assert str(caught.value) == (
        f"{server.address} cannot be fetched ({WRONG[wrong][3]}); nothing was loaded: try again"
        " later."
    )
    assert rows(path, "SELECT count(*) FROM errors WHERE retired_at IS NULL") == [(3,)]


def test_a_repo_that_is_missing_is_told(server: Server, folder: Path, path: Path) -> None:
    (folder / "repos/b/y.json").unlink()
    with pytest.raises(SourceUnfetched) as caught:
        ingest([server.address], path)
    assert "/data/repos/b/y.json cannot be fetched (status 404)" in str(caught.value)


def test_a_page_that_is_no_manifest_is_told(server: Server, folder: Path, path: Path) -> None:
    (folder / "manifest.json").write_text("<html>")
    with pytest.raises(DatasetBroken) as caught:
        ingest([server.address], path)
    assert str(caught.value).startswith(f"{server.address} is not part of a dataset (JSON is malf")


@pytest.mark.parametrize("address", ["ftp://127.0.0.1/manifest.json", "file:///etc/passwd"])
def test_other_schemes_are_refused(path: Path, address: str) -> None:
    with pytest.raises(SourceScheme) as caught:
        ingest([address], path)
    assert str(caught.value) == (
        f"{address} is not an http or https address; give one that ends in manifest.json."
    )


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/manifest.json", "http://[::1", "http://"])
def test_an_address_that_nobody_answers_is_told(
    path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "FIRST_PAUSE", 0.001)
    with pytest.raises(ErrdexError) as caught:
        ingest([address], path)
    assert str(caught.value).startswith(address)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("https://e.org", "https://e.org/data/manifest.json"),
        ("https://e.org/errors/", "https://e.org/errors/data/manifest.json"),
        ("https://e.org/data/", "https://e.org/data/manifest.json"),
        ("https://e.org/data/manifest.json", "https://e.org/data/manifest.json"),
        ("https://e.org/x/other.json?key=1", "https://e.org/x/other.json?key=1"),
    ],
)
def test_a_site_is_named_by_its_address_or_by_that_of_its_data(given: str, found: str) -> None:
    assert manifest_address(given) == found
