"""A disk that is full, a clock that goes back, an import in the middle of a build.

Kills, crowds and missing rights are in `tests/test_load_atomic.py` and `tests/test_build.py`;
`docs/reliability.md` lists what is promised, and where it is tested.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from errdex import clock
from errdex.errors import FolderUnwritable
from errdex.load import Options, Summary, ingest
from errdex_site.publish import one_build
from tests.test_build import files

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases" / "records.jsonl"
SEED = json.loads((ROOT / "data" / "seed.jsonl").read_bytes())
ERRDEX = [sys.executable, "-m", "errdex"]


def many(path: Path, count: int, prose: str = "old") -> Path:
    """A file of so many records, of about two kilobytes each."""
    lines = []
    for number in range(count):
        own = {"id": f"{number:016x}", "slug": f"slug-{number}", "documentation": prose * 200}
        lines.append(json.dumps({**SEED, "record": {**SEED["record"], **own}}))
    path.write_text("\n".join(lines))
    return path


# -- a disk that is full ------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    """Where commands of `on_small_disk` see a disk of two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    return folder


def on_small_disk(disk: Path, *commands: list[str]) -> list[subprocess.CompletedProcess[str]]:
    """Run commands one after the other that see a disk of two megabytes at `disk`, which nobody
    else sees, and which is copied to `disk`.after when they are done."""
    program = f"""
import json, shutil, subprocess, sys
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", {str(disk)!r}], check=True)
done = [subprocess.run(command, capture_output=True, text=True) for command in {commands!r}]
shutil.copytree({str(disk)!r}, {str(disk) + ".after"!r})
print(json.dumps([[one.returncode, one.stdout, one.stderr] for one in done]))
"""
    run = subprocess.run(
        ["unshare", "-r", "-m", sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=disk.parent,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return [
        subprocess.CompletedProcess(command, *told)
        for command, told in zip(commands, json.loads(run.stdout), strict=True)
    ]


def test_an_import_that_fills_the_disk_leaves_the_old_state(small_disk: Path) -> None:
    database = str(small_disk / "errdex.db")
    few, more = (many(small_disk.parent / f"{n}.jsonl", n) for n in (20, 3000))
    first, second = on_small_disk(
        small_disk,
        [*ERRDEX, "ingest", str(few), "--db", database],
        [*ERRDEX, "ingest", str(more), "--db", database],
    )
    assert first.returncode == 0, first.stderr
    assert second.returncode == 1
    assert second.stderr.startswith(f"errdex: {database} cannot be written (")
    assert second.stderr.endswith("[errdex explain ED204]\n")
    with closing(sqlite3.connect(f"{small_disk}.after/errdex.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*) FROM errors").fetchone() == (20,)


def test_a_build_that_fills_the_disk_leaves_the_old_site(small_disk: Path) -> None:
    parent = small_disk.parent
    ingest([str(many(parent / "few.jsonl", 2))], parent / "few.db")
    ingest([str(many(parent / "more.jsonl", 400))], parent / "more.db")
    command = [*ERRDEX, "build", "--jobs", "1", "--out", str(small_disk / "site"), "--db"]
    first, second = on_small_disk(
        small_disk, [*command, str(parent / "few.db")], [*command, str(parent / "more.db")]
    )
    assert first.returncode == 0, first.stderr
    assert second.returncode == 1
    assert second.stderr.startswith(f"errdex: {small_disk}/site cannot be written (No space left")
    assert second.stderr.count("\n") == 1
    subprocess.run(
        [*command[:-2], str(parent / "site"), "--db", str(parent / "few.db")], check=True
    )
    assert files(Path(f"{small_disk}.after/site")) == files(parent / "site")


# -- a clock that goes back ---------------------------------------------------------------


def ingest_at(time: str, source: Path, database: Path, patch: pytest.MonkeyPatch) -> Summary:
    for module in ("errdex.load.run.now", "errdex.load.retire.now"):
        patch.setattr(module, lambda: time)
    return ingest([str(source)], database, Options(complete=True))


def test_a_clock_that_goes_back_loses_no_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert clock.now() > "2026"
    database, site = tmp_path / "errdex.db", tmp_path / "site"
    build = [*ERRDEX, "build", "--jobs", "1", "--db", str(database), "--out", str(site)]
    ingest_at("2030-01-01T00:00:00Z", many(tmp_path / "a.jsonl", 3), database, monkeypatch)
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    changed = many(tmp_path / "b.jsonl", 2, "newer")
    summary = ingest_at("2001-01-01T00:00:00Z", changed, database, monkeypatch)
    assert (summary.changed, summary.retired) == (2, 1)
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    pages = [file.read_text() for file in sorted(site.glob("sgl-project/sglang/slug-*/index.html"))]
    assert ["newer" in page for page in pages] == [True, True, False]
    assert "No longer raised" in pages[2]


# -- an import in the middle --------------------------------------------------------------


def test_an_import_during_a_build_is_in_the_whole_site_or_in_none_of_it(tmp_path: Path) -> None:
    database = tmp_path / "errdex.db"
    ingest([str(many(tmp_path / "old.jsonl", 150))], database)
    build = [*ERRDEX, "build", "--jobs", "2", "--db", str(database), "--out"]
    subprocess.run([*build, str(tmp_path / "old")], check=True, stdout=subprocess.DEVNULL)
    running = subprocess.Popen([*build, str(tmp_path / "site")], stdout=subprocess.DEVNULL)
    while not list(tmp_path.glob(".site.errdex-new/**/*.html")):
        assert running.poll() is None, "the build was done before the import began"
    ingest([str(many(tmp_path / "new.jsonl", 150, "newer"))], database, Options(force=True))
    assert running.wait() == 0
    subprocess.run([*build, str(tmp_path / "new")], check=True, stdout=subprocess.DEVNULL)
    states = [files(tmp_path / name) for name in ("old", "new")]
    assert files(tmp_path / "site") in states
    subprocess.run([*build, str(tmp_path / "site")], check=True, stdout=subprocess.DEVNULL)
    assert files(tmp_path / "site") == states[1]


def test_two_builds_of_one_folder_come_one_after_the_other(tmp_path: Path) -> None:
    database = tmp_path / "errdex.db"
    ingest([str(many(tmp_path / "a.jsonl", 30))], database)
    build = [*ERRDEX, "build", "--jobs", "1", "--db", str(database), "--out"]
    running = [
        subprocess.Popen([*build, str(tmp_path / "site")], stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    assert [process.wait() for process in running] == [0, 0]
    subprocess.run([*build, str(tmp_path / "alone")], check=True, stdout=subprocess.DEVNULL)
    assert files(tmp_path / "site") == files(tmp_path / "alone")
    assert not list(tmp_path.glob(".site.errdex-*"))


def test_a_build_that_waits_too_long_for_another_is_refused(tmp_path: Path) -> None:
    with (
        one_build(tmp_path / "site"),
        pytest.raises(FolderUnwritable) as caught,
        one_build(tmp_path / "site", 0.1),
    ):
        pass
    assert str(caught.value) == (
        f"{tmp_path}/site cannot be written (another build is writing it);"
        " name another folder with --out."
    )
