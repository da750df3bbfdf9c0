"""One import: what is loaded, kept, replaced, renamed and retired."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from errdex.database.bulk import Bulk
from errdex.database.queries import entries, entry_by_id, entry_by_slug
from errdex.database.search import search
from errdex.decode import decode_line
from errdex.errors import NothingLoaded
from errdex.load import Options, Summary, ingest, load
from errdex.sources import Line, read_lines

CASES = Path(__file__).parent / "cases" / "records.jsonl"
SEED = json.loads((Path(__file__).parent.parent / "data" / "seed.jsonl").read_bytes())
ID, OTHER = SEED["record"]["id"], "bbbbbbbb00000000"
REPO, SLUG = SEED["record"]["repo"], SEED["record"]["slug"]
V1, V2, V3 = (f"2026-0{month}-01T00:00:00.000Z" for month in (1, 2, 3))


def line(number: int = 1, version: str | None = V1, **fields: object) -> Line:
    record = {**SEED["record"], **fields}
    value = record if version is None else {"record": record, "datasetVersion": version}
    return Line("x.jsonl", number, json.dumps(value).encode())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "errdex.db"


def take(path: Path, *lines: Line, **options: bool) -> Summary:
    return load(lines, path, Options(**options))


def counts(summary: Summary) -> dict[str, int]:
    names = ("added", "changed", "unchanged", "older", "retired", "rejected")
    return {name: getattr(summary, name) for name in names if getattr(summary, name)}


def text_of(path: Path, record_id: str = ID) -> str:
    with sqlite3.connect(path) as connection:
        entry = entry_by_id(connection, record_id)
    assert entry is not None
    return entry.record.documentation


def healthy(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute(
            "INSERT INTO errors_fts (errors_fts, rank) VALUES ('integrity-check', 1)"
        )


# -- again --------------------------------------------------------------------------------


def test_what_is_loaded_comes_out_as_it_went_in(path: Path) -> None:
    load(read_lines(str(CASES)), path)
    sent = [decode_line(line) for line in CASES.read_bytes().splitlines()]
    with sqlite3.connect(path) as connection:
        assert sorted(entries(connection), key=lambda e: e.record.id) == sorted(
            sent, key=lambda e: e.record.id
        )
    healthy(path)


def test_the_same_file_again_changes_nothing(path: Path) -> None:
    first = ingest([str(CASES)], path)
    before = path.read_bytes()
    again = ingest([str(CASES)], path)
    assert counts(first) == {"added": 117}
    assert counts(again) == {"unchanged": 117}
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM imports").fetchone() == (2,)
    assert len(before) == path.stat().st_size


def test_the_same_record_written_otherwise_is_unchanged(path: Path) -> None:
    take(path, line())
    spaced = Line("y", 1, json.dumps(json.loads(line().data), indent=1).encode())
    assert counts(take(path, spaced)) == {"unchanged": 1}
    assert counts(take(path, spaced)) == {"unchanged": 1}


def test_a_changed_record_is_updated_with_its_tags_and_full_text(path: Path) -> None:
    take(path, line(tags=["old", "both"]))
    changed = line(version=V2, errorMessage="A zebra {name}", tags=["both", "new"])
    assert counts(take(path, changed)) == {"changed": 1}
    with sqlite3.connect(path) as connection:
        entry = entry_by_id(connection, ID)
        found = connection.execute("SELECT rowid FROM errors_fts WHERE errors_fts MATCH 'zebra'")
        assert found.fetchall() == [(1,)]
        gone = connection.execute("SELECT rowid FROM errors_fts WHERE errors_fts MATCH 'lora'")
        assert entry is not None
        assert entry.record.tags == ["both", "new"]
        assert entry.dataset_version == V2
        assert gone.fetchall() == [(1,)]  # its documentation still says LoRA
    healthy(path)


def test_an_import_is_noted_with_its_counts_and_sources(path: Path) -> None:
    ingest([str(CASES)], path)
    with sqlite3.connect(path) as connection:
        noted = connection.execute("SELECT source, read, added, rejected FROM imports").fetchone()
        assert noted == (str(CASES), 117, 117, 0)
        place = connection.execute(
            "SELECT sources.name, line FROM error_sources JOIN sources USING (source)"
            " JOIN errors ON number = error WHERE id = ?",
            (json.loads(CASES.read_bytes().splitlines()[4])["record"]["id"],),
        )
        assert place.fetchone() == (str(CASES), 5)


# -- older and newer ----------------------------------------------------------------------


def test_an_older_dataset_does_not_overwrite_a_newer_one(path: Path) -> None:
    take(path, line(version=V2, documentation="new"))
    summary = take(path, line(version=V1, documentation="old"))
    assert counts(summary) == {"unchanged": 1, "older": 1}
    assert summary.first_notes == [f"x.jsonl:1: {ID} is older than what is there"]
    assert text_of(path) == "new"


def test_an_older_dataset_overwrites_with_force(path: Path) -> None:
    take(path, line(version=V2, documentation="new"))
    assert counts(take(path, line(version=V1, documentation="old"), force=True)) == {"changed": 1}
    assert text_of(path) == "old"


def test_a_dataset_that_confirmed_a_record_counts_as_its_version(path: Path) -> None:
    take(path, line(version=V1, documentation="same"))
    assert counts(take(path, line(version=V3, documentation="same"))) == {"unchanged": 1}
    assert counts(take(path, line(version=V2, documentation="other"))) == {
        "unchanged": 1,
        "older": 1,
    }
    assert text_of(path) == "same"


def test_records_without_a_version_are_ordered_by_their_analysis(path: Path) -> None:
    take(path, line(version=None, documentation="new", analyzedAt="2026-05-01T00:00:00Z"))
    older = line(version=None, documentation="old", analyzedAt="2026-04-30T23:59:59.9Z")
    assert counts(take(path, older)) == {"unchanged": 1, "older": 1}
    newer = line(version=None, documentation="newest", analyzedAt="2026-05-01T00:00:00.5Z")
    assert counts(take(path, newer)) == {"changed": 1}


@pytest.mark.parametrize("bulk", [1, 5000])
def test_of_one_id_twice_the_last_of_the_newest_wins(path: Path, bulk: int) -> None:
    lines = [
        line(1, V1, documentation="one"),
        line(2, V2, documentation="two"),
        line(3, V2, documentation="three"),
        line(4, V1, documentation="four"),
    ]
    summary = load(lines, path, Options(bulk=bulk))
    assert counts(summary) == {"added": 1, "changed": 2, "unchanged": 1, "older": 1}
    assert text_of(path) == "three"
    assert summary.first_notes == [
        f"x.jsonl:2: {ID} came twice; the later one is kept",
        f"x.jsonl:3: {ID} came twice; the later one is kept",
        f"x.jsonl:4: {ID} is older than what is there",
    ]
    healthy(path)


# -- slugs and repos ----------------------------------------------------------------------


@pytest.mark.parametrize("bulk", [1, 5000])
def test_of_two_ids_with_one_slug_the_newer_gets_it_and_both_stay(path: Path, bulk: int) -> None:
    summary = load([line(1, V1), line(2, V2, id=OTHER)], path, Options(bulk=bulk))
    assert counts(summary) == {"added": 2}
    moved = f"{SLUG}-{ID[:8]}"
    assert summary.first_notes == [
        f"x.jsonl:2: slug {SLUG} goes to {OTHER}, the newer one; {ID} is now {moved}"
    ]
    with sqlite3.connect(path) as connection:
        by_slug = entry_by_slug(connection, REPO, SLUG)
        by_moved = entry_by_slug(connection, REPO, moved)
    assert by_slug is not None
    assert by_moved is not None
    assert (by_slug.record.id, by_moved.record.id) == (OTHER, ID)
    healthy(path)


def test_an_older_record_does_not_take_a_slug(path: Path) -> None:
    take(path, line(version=V2))
    summary = take(path, line(version=V1, id=OTHER))
    assert summary.first_notes == [
        f"x.jsonl:1: slug {SLUG} stays with {ID}; {OTHER} is filed as {SLUG}-{OTHER[:8]}"
    ]
    assert counts(take(path, line(version=V1, id=OTHER))) == {"unchanged": 1}
    changed = take(path, line(version=V1, id=OTHER, documentation="x"))
    assert counts(changed) == {"changed": 1}
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM aliases").fetchone() == (0,)


def test_a_changed_slug_leaves_an_alias(path: Path) -> None:
    take(path, line())
    assert counts(take(path, line(version=V2, slug="new"))) == {"changed": 1}
    with sqlite3.connect(path) as connection:
        for name in (SLUG, "new"):
            entry = entry_by_slug(connection, REPO, name)
            assert entry is not None
            assert entry.path == f"{REPO}/new"


def test_an_alias_ends_when_another_error_gets_that_slug(path: Path) -> None:
    take(path, line())
    take(path, line(version=V2, slug="new"))
    take(path, line(version=V2, id=OTHER))
    with sqlite3.connect(path) as connection:
        entry = entry_by_slug(connection, REPO, SLUG)
        assert connection.execute("SELECT count(*) FROM aliases").fetchone() == (0,)
    assert entry is not None
    assert entry.record.id == OTHER


@pytest.mark.parametrize("bulk", [1, 5000])
def test_repos_that_differ_in_case_alone_are_one(path: Path, bulk: int) -> None:
    lines = [line(1), line(2, repo=REPO.upper(), id=OTHER, slug="other")]
    summary = load(lines, path, Options(bulk=bulk))
    assert counts(summary) == {"added": 2}
    assert summary.first_notes == [f"x.jsonl:2: repo {REPO.upper()} is filed as {REPO}, as before"]
    with sqlite3.connect(path) as connection:
        repos = connection.execute("SELECT DISTINCT repo FROM errors")
        assert repos.fetchall() == [(REPO,)]
        assert entry_by_slug(connection, REPO.upper(), SLUG) is not None


# -- retired ------------------------------------------------------------------------------


def both(version: str) -> tuple[Line, Line]:
    return line(1, version), line(2, version, id=OTHER, slug="other")


def retired(path: Path) -> list[str]:
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT id FROM errors WHERE retired_at IS NOT NULL")
        return [record_id for (record_id,) in rows]


def test_what_a_complete_source_has_no_more_is_kept_and_retired(path: Path) -> None:
    take(path, *both(V1), line(3, V1, id="c" * 16, repo="another/repo"))
    assert counts(take(path, line(1, V2), complete=True)) == {"unchanged": 1, "retired": 1}
    assert retired(path) == [OTHER]


def test_a_partial_source_retires_nothing(path: Path) -> None:
    take(path, *both(V1))
    assert counts(take(path, line(1, V2))) == {"unchanged": 1}
    assert retired(path) == []


def test_a_retired_record_that_is_raised_again_is_no_longer_retired(path: Path) -> None:
    take(path, *both(V1))
    take(path, line(1, V2), complete=True)
    assert counts(take(path, *both(V3))) == {"changed": 1, "unchanged": 1}
    assert retired(path) == []


def test_an_older_dataset_retires_and_revives_nothing(path: Path) -> None:
    take(path, *both(V2))
    assert counts(take(path, line(1, V1), complete=True)) == {"unchanged": 1}
    take(path, line(1, V3), complete=True)
    assert counts(take(path, *both(V1))) == {"unchanged": 2}
    assert retired(path) == [OTHER]


def test_nothing_is_retired_where_a_record_was_rejected(path: Path) -> None:
    take(path, *both(V1))
    summary = take(path, line(1, V2), Line("x", 2, b"{}"), complete=True)
    assert counts(summary) == {"unchanged": 1, "rejected": 1}
    assert retired(path) == []


# -- rejects, dry runs --------------------------------------------------------------------


def test_rejects_are_in_the_file_and_in_the_table_with_their_bytes(path: Path) -> None:
    broken = [Line("x", 2, b'{"a": "\xff"}'), Line("y", 7, b'{"b": 1}')]
    summary = take(path, line(), *broken)
    assert counts(summary) == {"added": 1, "rejected": 2}
    rejects = path.with_name("errdex.db.rejects.jsonl")
    first, second = map(json.loads, rejects.read_text().splitlines())
    assert first == {
        "source": "x",
        "line": 2,
        "reasons": ["expected UTF-8, got byte 0xff at byte 8"],
        "base64": "eyJhIjogIv8ifQ==",
    }
    assert (second["source"], second["line"], second["text"]) == ("y", 7, '{"b": 1}')
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT source, line, data FROM rejects ORDER BY line")
        assert rows.fetchall() == [("x", 2, b'{"a": "\xff"}'), ("y", 7, b'{"b": 1}')]


def test_a_reject_that_comes_again_is_kept_once(path: Path) -> None:
    for _ in range(2):
        take(path, line(), Line("x", 2, b"{}"))
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM rejects").fetchone() == (1,)


def test_a_mended_rejects_file_is_ingested_in_place_of_itself(path: Path) -> None:
    take(path, line(), Line("x", 2, line(id=OTHER, slug="other", lineNumber="1").data))
    rejects = path.with_name("errdex.db.rejects.jsonl")
    rejects.write_text(
        rejects.read_text().replace('\\"lineNumber\\": \\"1\\"', '\\"lineNumber\\": null')
    )
    assert counts(ingest([str(rejects)], path)) == {"added": 1}


def test_a_dry_run_counts_and_changes_nothing(path: Path) -> None:
    assert counts(take(path, line(), Line("x", 2, b"{}"), dry_run=True)) == {
        "added": 1,
        "rejected": 1,
    }
    assert list(path.parent.iterdir()) == []
    take(path, line())
    before = path.read_bytes()
    assert counts(take(path, line(documentation="x"), dry_run=True)) == {"changed": 1}
    assert path.read_bytes() == before


def test_unknown_fields_are_kept_and_named_once(path: Path) -> None:
    summary = take(path, line(1, foo=1), line(2, id=OTHER, slug="other", foo=[2]))
    assert summary.shown_unknown == ["foo"]
    with sqlite3.connect(path) as connection:
        entry = entry_by_id(connection, OTHER)
    assert entry is not None
    assert entry.extra == {"foo": [2]}


def test_an_import_of_rejects_alone_makes_no_database(path: Path) -> None:
    def lines() -> Iterator[Line]:
        yield Line("x", 1, b"{}")

    with pytest.raises(NothingLoaded):
        load(lines(), path)
    assert sorted(p.name for p in path.parent.iterdir()) == ["errdex.db.rejects.jsonl"]


def test_full_text_is_made_anew_where_its_tables_may_not_be_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where SQLite is built to defend the tables of FTS5."""
    take_over, asked = Bulk.take_over_texts, []

    def refuse_once(action: int, table: str | None, *_: object) -> int:
        guarded = action == sqlite3.SQLITE_DELETE and table == "errors_fts_data"
        asked.append(guarded)
        return sqlite3.SQLITE_DENY if guarded and asked.count(True) == 1 else sqlite3.SQLITE_OK

    def take_over_guarded(bulk: Bulk, aside: Path) -> None:
        bulk._connection.set_authorizer(refuse_once)
        take_over(bulk, aside)
        bulk._connection.set_authorizer(None)

    monkeypatch.setattr(Bulk, "take_over_texts", take_over_guarded)
    rows = [line(1), line(2, id=OTHER, slug="other", documentation="quite unheard of")]
    load(rows, path, Options(bulk=1))
    assert True in asked
    with sqlite3.connect(path) as connection:
        found = search(connection, "unheard").hits
    assert [hit.heading.id for hit in found] == [OTHER]
    healthy(path)
