"""`errdex build`: parallel, incremental, atomic, and byte for byte the same each time."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from errdex.cli import main
from errdex.database.connection import open_for_reading
from errdex.load import Options, ingest
from errdex_site import ledger
from errdex_site.addresses import file_of
from errdex_site.pages import Site
from errdex_site.publish import Target, staged_name

CASES = Path(__file__).parent / "cases"
SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
SEED_PAGE = "sgl-project/sglang/lora-with-eagle-nextn-eagle3-speculative-decoding/index.html"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database and the site of it, for tests to copy."""
    folder = tmp_path_factory.mktemp("build")
    ingest([str(CASES / "records.jsonl"), str(SEED)], folder / "errdex.db", Options())
    assert run(folder).exit_code == 0
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A database of its own and the site that was built of it."""
    copy = tmp_path / "copy"
    shutil.copytree(made, copy)
    return copy


def run(folder: Path, *options: str, out: str = "out") -> Result:
    args = ["build", "--db", str(folder / "errdex.db"), "--out", str(folder / out), "--jobs", "1"]
    return CliRunner().invoke(main, [*args, *options])


def change(folder: Path, **fields: object) -> None:
    """Ingest the seed again with other fields."""
    envelope = json.loads(SEED.read_text())
    envelope["record"] |= fields
    envelope["record"]["analyzedAt"] = "2026-11-11T00:00:00Z"
    (folder / "changed.jsonl").write_text(json.dumps(envelope))
    ingest([str(folder / "changed.jsonl")], folder / "errdex.db", Options(force=True))


def files(folder: Path) -> dict[str, bytes]:
    """Every file below the folder, but for what only the build itself reads."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != ledger.NAME
    }


def stamps(folder: Path) -> dict[str, int]:
    return {
        file.relative_to(folder).as_posix(): file.stat().st_mtime_ns
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_the_files_are_what_the_site_answers(folder: Path) -> None:
    connection = open_for_reading(folder / "errdex.db")
    site = Site(connection)
    expected = {}
    for path in site.paths():
        body = site.page(path).body
        expected[file_of(path)] = body.encode() if isinstance(body, str) else body
    connection.close()
    assert files(folder / "out") == expected


def test_the_summary_says_what_stands_there(folder: Path) -> None:
    result = run(folder, out="new")
    first, second = result.output.splitlines()
    count, size = len(files(folder / "new")), sum(map(len, files(folder / "new").values()))
    html = {name: len(body) for name, body in files(folder / "new").items() if ".html" in name}
    assert first == (
        f"{folder / 'new'}: {len(html)} pages in {count} files, {size / 1e6:,.1f} MB;"
        f" {count} written, 0 removed."
    )
    assert second == f"Largest page: {max(html.values()) / 1e3:,.1f} kB, /tags/python/"


def test_several_processes_write_the_same_bytes_as_one(folder: Path) -> None:
    command = [sys.executable, "-m", "errdex", "build", "--db", folder / "errdex.db"]
    sites = [folder / "one", folder / "two"]
    for jobs, site in enumerate(sites, 1):
        options = ["--out", site, "--jobs", str(jobs)]
        subprocess.run([*command, *options], check=True, capture_output=True)
    assert files(sites[0]) == files(sites[1])
    one, two = ((site / ledger.NAME).read_bytes() for site in sites)
    assert one == two


def test_building_again_writes_nothing(folder: Path) -> None:
    run(folder, out="out")  # the copied database is another file
    before = stamps(folder / "out")
    result = run(folder)
    assert " 0 written, 0 removed." in result.output
    assert stamps(folder / "out") == before


def test_a_changed_record_rewrites_only_what_shows_it(folder: Path) -> None:
    before = files(folder / "out")
    change(folder, documentation="It means something else now.")
    run(folder)
    after = files(folder / "out")
    assert before.keys() == after.keys()
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {
        SEED_PAGE,
        "e/records/aae.json",
        "data/manifest.json",
        "data/repos.json",
        "data/repos/sgl-project/sglang.json",
        "feed.xml",
        "sgl-project/sglang/index.html",
    }
    assert b"something else now" in after[SEED_PAGE]


def test_an_incremental_build_ends_as_a_new_one_would(folder: Path) -> None:
    change(folder, errorMessage="Another message {reason}", slug="another", tags=["other"])
    result = run(folder)
    assert result.exit_code == 0
    run(folder, out="new")
    assert files(folder / "out") == files(folder / "new")
    assert "tags/eagle/index.html" not in files(folder / "out")
    assert not (folder / "out" / "tags" / "eagle").exists()


def test_an_incremental_build_with_site_maps_ends_as_a_new_one_would(folder: Path) -> None:
    options = ("--base-url", "https://errdex.example", "--gzip")
    run(folder, *options, out="maps")
    change(folder, documentation="Analyzed another day.")
    run(folder, *options, out="maps")
    run(folder, *options, out="new")
    assert files(folder / "maps") == files(folder / "new")
    assert b"<lastmod>2026-11-11" in files(folder / "maps")["sitemaps/2.xml"]


def test_a_damaged_ledger_makes_all_anew(folder: Path) -> None:
    before = files(folder / "out")
    ledger_file = folder / "out" / ledger.NAME
    ledger_file.write_bytes(ledger_file.read_bytes()[:2000])
    assert run(folder).exit_code == 0
    assert files(folder / "out") == before


def test_another_base_address_rewrites_everything(folder: Path) -> None:
    result = run(folder, "--base-url", "https://errdex.example/x/")
    assert f"{len(files(folder / 'out'))} written, 0 removed." in result.output
    html = (folder / "out" / SEED_PAGE).read_text()
    assert '<link rel="canonical" href="https://errdex.example/x/sgl-project/' in html


def test_packed_copies_hold_the_same(folder: Path) -> None:
    run(folder, "--gzip", out="packed")
    found = files(folder / "packed")
    assert gzip.decompress(found[SEED_PAGE + ".gz"]) == found[SEED_PAGE]
    assert "data/index.json.gz.gz" not in found
    told = json.loads(found["data/manifest.json"])["files"]["indexGz"]
    assert told["sha256"] == hashlib.sha256(found["data/index.json.gz"]).hexdigest()


def test_a_template_of_the_users_replaces_ours(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "404.html").write_text("{{ path }}: gone")
    run(folder, "--templates", str(folder / "mine"))
    assert (folder / "out" / "404.html").read_text() == "/404.html: gone"


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        (
            "\n{% if %}",
            "errdex: template error.html fails at line 2 (Expected an expression, got 'end of"
            " statement block'); mend it and build again. [errdex explain ED403]",
        ),
        (
            "{{ record.id }}\n\n{{ nonsense }}",
            "errdex: template error.html fails at line 3 ('nonsense' is undefined);"
            " mend it and build again. [errdex explain ED403]",
        ),
        (
            '{% extends "nothing.html" %}',
            "errdex: template nothing.html is not in {folder};"
            " restore it or install errdex again. [errdex explain ED404]",
        ),
    ],
)
def test_a_broken_template_is_told_and_nothing_is_overwritten(
    folder: Path, template: str, sentence: str
) -> None:
    mine = folder / "mine"
    mine.mkdir()
    (mine / "error.html").write_text(template)
    before = files(folder / "out")
    result = run(folder, "--templates", str(mine))
    assert (result.exit_code, result.stderr.strip()) == (1, sentence.replace("{folder}", str(mine)))
    assert files(folder / "out") == before
    assert sorted(entry.name for entry in folder.iterdir() if entry.name.startswith(".")) == []


def test_a_broken_template_is_told_by_other_processes_too(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "error.html").write_text("{{ nonsense }}")
    result = run(folder, "--templates", str(folder / "mine"), "--jobs", "2")
    assert result.exit_code == 1
    assert "template error.html fails at line 1 ('nonsense' is undefined)" in result.stderr


def test_a_folder_that_is_not_ours_is_refused(folder: Path) -> None:
    (folder / "theirs").mkdir()
    (folder / "theirs" / "thesis.txt").write_text("years of work")
    result = run(folder, out="theirs")
    assert result.exit_code == 1
    assert result.stderr == (
        f"errdex: {folder / 'theirs'} holds files that errdex did not write, such as thesis.txt;"
        " name an empty or new folder with --out. [errdex explain ED401]\n"
    )
    assert files(folder / "theirs") == {"thesis.txt": b"years of work"}


def test_an_empty_folder_is_filled(folder: Path) -> None:
    (folder / "empty").mkdir()
    assert run(folder, out="empty").exit_code == 0
    assert files(folder / "empty") == files(folder / "out")


def test_a_file_in_the_folders_place_is_refused(folder: Path) -> None:
    (folder / "file").write_text("x")
    result = run(folder, out="file")
    assert result.exit_code == 1
    assert result.stderr == (
        f"errdex: {folder / 'file'} cannot be written (Not a directory);"
        " name another folder with --out. [errdex explain ED402]\n"
    )


def test_a_folder_below_a_file_is_refused(folder: Path) -> None:
    (folder / "file").write_text("x")
    result = run(folder, out="file/out")
    assert result.exit_code == 1
    assert "cannot be written (File exists)" in result.stderr


def test_a_missing_database_is_told(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == 1
    assert "errdex.db does not exist" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_base_address_must_be_one(folder: Path) -> None:
    result = run(folder, "--base-url", "errdex.example")
    assert result.exit_code == 2
    assert "errdex.example does not begin with http:// or https://" in result.stderr


def test_a_build_that_is_killed_leaves_the_old_site_whole(folder: Path) -> None:
    before = files(folder / "out")
    database, out = folder / "errdex.db", folder / "out"
    command = [sys.executable, "-m", "errdex", "build", "--db", database, "--out", out]
    process = subprocess.Popen([*command, "--base-url", "https://x.example", "--jobs", "1"])
    staging = folder / ".out.errdex-new"
    while not (staging / "index.html").exists():
        assert process.poll() is None
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert files(out) == before
    assert run(folder).exit_code == 0
    assert files(out) == before
    assert not staging.exists()


def test_changes_whose_journal_is_whole_are_carried_out_by_the_next_build(folder: Path) -> None:
    target = Target(folder / "out")
    (target.staging / staged_name("index.html")).write_text("new")
    shutil.copy(folder / "out" / ledger.NAME, target.staging / ledger.NAME)
    journal = target.staging / ".errdex-journal"
    journal.write_text("+index.html\n-404.html\n-tags/eagle/index.html\n+.errdex-site\nend\n")
    Target(folder / "out").discard()
    assert (folder / "out" / "index.html").read_text() == "new"
    assert not (folder / "out" / "404.html").exists()
    assert not (folder / "out" / "tags" / "eagle").exists()


def test_changes_whose_journal_is_not_whole_are_dropped(folder: Path) -> None:
    before = files(folder / "out")
    target = Target(folder / "out")
    (target.staging / "index.html").write_text("new")
    (target.staging / ".errdex-journal").write_text("+index.html\n-404.html\n")
    Target(folder / "out").discard()
    assert files(folder / "out") == before


def test_a_swap_that_was_cut_is_undone(folder: Path) -> None:
    before = files(folder / "out")
    (folder / "out").rename(folder / ".out.errdex-old")
    Target(folder / "out").discard()
    assert files(folder / "out") == before


def test_a_reader_sees_one_state_while_an_import_is_committed(folder: Path) -> None:
    writing = sqlite3.connect(folder / "errdex.db")
    writing.execute("BEGIN IMMEDIATE")
    writing.execute("UPDATE errors SET documentation = 'half'")
    result = run(folder, out="new")
    writing.rollback()
    writing.close()
    assert result.exit_code == 0
    assert files(folder / "new") == files(folder / "out")
