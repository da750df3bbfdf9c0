"""Killed, crowded, out of disk: the database holds the old state or the new one."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from errdex.cli import main
from errdex.database.aside import Places
from errdex.database.lock import import_lock
from errdex.errors import DatabaseBusy
from errdex.load import ingest
from errdex.load.beside import SecondProcess

SEED = json.loads((Path(__file__).parent.parent / "data" / "seed.jsonl").read_bytes())
INGEST = [sys.executable, "-m", "errdex", "ingest"]


def records(path: Path, count: int, prose: str) -> Path:
    """A file of so many records."""
    with path.open("w") as file:
        for number in range(count):
            record = {
                **SEED["record"],
                "id": f"{number:016x}",
                "slug": f"slug-{number}",
                "messagePattern": f"error {number:x} of {number * 7919:x} in (.+?)",
                "errorMessage": f"error {number:x} of {number * 7919:x} in {{place}}",
                "documentation": prose,
            }
            version = f"2026-01-01T00:00:0{len(prose) % 10}Z"
            file.write(json.dumps({"record": record, "datasetVersion": version}) + "\n")
    return path


def state(path: Path) -> tuple[int, set[str]]:
    """How many errors there are, and their prose; the database must be whole."""
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = connection.execute("SELECT documentation FROM errors").fetchall()
        connection.execute(
            "INSERT INTO errors_fts (errors_fts, rank) VALUES ('integrity-check', 1)"
        )
        return len(rows), {prose for (prose,) in rows}
    finally:
        connection.close()


def killed_after(seconds: float, command: list[str]) -> bool:
    """Run a command; kill it with all it has started. False if it was done before."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def seconds_of(command: list[str]) -> float:
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def test_a_first_import_that_is_killed_leaves_nothing_or_all(tmp_path: Path) -> None:
    source = records(tmp_path / "new.jsonl", 5100, "new")
    path = tmp_path / "db" / "errdex.db"
    path.parent.mkdir()
    command = [*INGEST, str(source), "--db", str(path)]
    whole = seconds_of(command)
    rng = random.Random(5)  # noqa: S311  # no secret
    for _ in range(3):
        path.unlink(missing_ok=True)
        killed_after(whole * rng.uniform(0.3, 1.1), command)
        assert not path.exists() or state(path) == (5100, {"new"})
    path.unlink(missing_ok=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert state(path) == (5100, {"new"})
    assert [file.name for file in path.parent.iterdir()] == ["errdex.db"]


def test_an_import_that_is_killed_leaves_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    old = records(tmp_path / "old.jsonl", 1500, "old")
    new = records(tmp_path / "new.jsonl", 2000, "newer")
    path = tmp_path / "errdex.db"
    ingest([str(old)], path)
    before = path.read_bytes()
    command = [*INGEST, str(new), "--db", str(path)]
    whole = seconds_of(command)
    rng = random.Random(6)  # noqa: S311  # no secret
    for _ in range(4):
        for left in path.parent.glob("errdex.db*"):
            left.unlink()
        path.write_bytes(before)
        killed_after(whole * rng.uniform(0.4, 1.1), command)
        assert state(path) in [(1500, {"old"}), (2000, {"newer"})]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert state(path) == (2000, {"newer"})


def test_a_reader_sees_the_old_state_until_the_import_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "errdex.db"
    ingest([str(records(tmp_path / "old.jsonl", 10, "old"))], path)
    reader = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM errors").fetchone() == (10,)
    ingest([str(records(tmp_path / "new.jsonl", 20, "newer"))], path)
    assert reader.execute("SELECT count(*) FROM errors").fetchone() == (10,)
    reader.execute("COMMIT")
    assert reader.execute("SELECT count(*) FROM errors").fetchone() == (20,)
    reader.close()


def test_two_imports_at_once_come_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "errdex.db"
    sources = [records(tmp_path / f"{prose}.jsonl", 300, prose) for prose in ("one", "three")]
    running = [
        subprocess.Popen([*INGEST, str(source), "--db", str(path)], stdout=subprocess.DEVNULL)
        for source in sources
    ]
    assert [process.wait() for process in running] == [0, 0]
    assert state(path) == (300, {"three"})
    assert not list(tmp_path.glob(".errdex.db*"))


def test_an_import_that_waits_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "errdex.db"
    with import_lock(path), pytest.raises(DatabaseBusy) as caught, import_lock(path, 0.1):
        pass
    assert str(caught.value) == (
        f"{path} is being written by another import; try again when that is done."
    )


# -- no room, no permission ---------------------------------------------------------------


def refused(path: Path, source: Path, *, before: Callable[[], None] | None = None) -> str:
    """What a refused import says; it must leave no file of its own."""
    files = sorted(path.parent.iterdir())
    done = subprocess.run(
        [*INGEST, str(source), "--db", str(path)],
        capture_output=True,
        text=True,
        preexec_fn=before,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(path.parent.iterdir()) == files
    return done.stderr.replace(str(path), "DB")


def small_files(size: int) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.parametrize("count", [300, 5100])
def test_a_full_disk_is_told_and_leaves_no_database(tmp_path: Path, count: int) -> None:
    source = records(tmp_path / "new.jsonl", count, "new")
    (tmp_path / "db").mkdir()
    said = refused(tmp_path / "db" / "errdex.db", source, before=small_files(500_000))
    assert said.startswith(("errdex: DB cannot be written (", "errdex: the import stopped ("))


def test_a_full_disk_leaves_the_old_state(tmp_path: Path) -> None:
    path = tmp_path / "db" / "errdex.db"
    path.parent.mkdir()
    ingest([str(records(tmp_path / "old.jsonl", 10, "old"))], path)
    source = records(tmp_path / "new.jsonl", 3000, "newer")
    done = subprocess.run(
        [*INGEST, str(source), "--db", str(path)],
        capture_output=True,
        text=True,
        preexec_fn=small_files(path.stat().st_size + 100_000),
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"errdex: {path} cannot be written (")
    assert state(path) == (10, {"old"})


def ingested_by_nobody(source: Path, path: Path, folder: Path) -> Result:
    """What an import says to a user who may read the folder and what is above it."""
    for parent in (folder, *folder.parents[:3]):
        parent.chmod(parent.stat().st_mode | 0o055)
    os.seteuid(65534)
    try:
        return CliRunner().invoke(main, ["ingest", str(source), "--db", str(path)])
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_a_database_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    source = records(tmp_path / "new.jsonl", 3, "new")
    folder = tmp_path / "db"
    folder.mkdir(mode=0o755)
    path = folder / "errdex.db"
    ingest([str(source)], tmp_path / "other.db")  # imports all modules while that is allowed
    result = ingested_by_nobody(source, path, tmp_path)
    assert result.exit_code == 1
    assert result.output == (
        f"errdex: {path} cannot be written (Permission denied); the database is as it was"
        " before. [errdex explain ED204]\n"
    )
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_a_database_that_is_read_only_is_told(tmp_path: Path) -> None:
    path = tmp_path / "db" / "errdex.db"
    path.parent.mkdir()
    ingest([str(records(tmp_path / "old.jsonl", 3, "old"))], path)
    source = records(tmp_path / "new.jsonl", 3, "newer")
    path.parent.chmod(0o777)
    result = ingested_by_nobody(source, path, tmp_path)
    assert result.exit_code == 1
    assert result.output == (
        f"errdex: {path} cannot be written (attempt to write a readonly database); the database"
        " is as it was before. [errdex explain ED204]\n"
    )
    assert state(path) == (3, {"old"})


def test_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    source = records(tmp_path / "new.jsonl", 3, "new")
    done = subprocess.run(
        [*INGEST, str(source), "--db", str(tmp_path / "none" / "errdex.db")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"errdex: {tmp_path}/none/errdex.db cannot be written (No such file or directory);"
        " the database is as it was before. [errdex explain ED204]\n"
    )


def test_an_import_whose_second_process_dies_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from errdex.errors import ImportBroken

    monkeypatch.setattr(SecondProcess, "ask", lambda self, *_: self._process.kill())
    with pytest.raises(ImportBroken) as caught:
        ingest([str(records(tmp_path / "new.jsonl", 5100, "new"))], tmp_path / "errdex.db")
    assert str(caught.value) == (
        "the import stopped (its second process ended); the database is as it was before:"
        " run it again."
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.jsonl"]


def test_a_second_process_whose_first_one_is_gone_leaves_nothing(tmp_path: Path) -> None:
    files = Places(tmp_path / "texts", tmp_path / "patterns")
    second = SecondProcess(files, import_number=1)
    texts, origins = [(1, "an error in {x}", None, None, "")], [(1, b"digest", None, 1, 1)]
    second.ask(["an error in (.+?)"], texts, origins)
    assert second.numbers() == [1]
    assert all(file.exists() for file in files)
    second._process.communicate(b"half a mess")
    assert second._process.returncode == 0
    assert list(tmp_path.iterdir()) == []
