"""SIGKILL at random points of imports and builds: `python -m bench.crash [RECORDS] --rounds 50`.

After each the database must open, pass `PRAGMA integrity_check` and SQLite's check of the full-text
index, and hold the old state or the new one, told by the number of its rows and a hash of all
of them. The site must be the old one or the new one, byte for byte: as it stands, or after what
the next build begins with, which finishes or drops a change that was cut. Rounds are half with
children and half without.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure
from errdex.errors import FolderForeign
from errdex_site.publish import Target

RECORDS = Path(__file__).parent.parent / "tests" / "cases" / "records.jsonl"
_ERRDEX = [sys.executable, "-m", "errdex"]
_LATE = 1.1
"""A kill comes after up to so much of the time that the whole takes."""


class State(NamedTuple):
    """What a database or a site holds."""

    size: int
    """Rows, or files."""
    digest: str


class Tally(NamedTuple):
    """What was found after so many kills."""

    rounds: int
    killed: int
    """The others had ended before."""
    old: int
    new: int
    mended: int
    """Sites that were whole only after what the next build begins with."""
    broken: list[str]

    def __str__(self) -> str:
        mended = f", {self.mended} of them after the next build had begun" if self.mended else ""
        return (
            f"{self.rounds} rounds, {self.killed} killed: {self.old} old, {self.new} new{mended},"
            f" {len(self.broken)} broken {self.broken[:3] or ''}"
        )


def state_of_database(path: Path) -> State:
    """Raises sqlite3.Error or ValueError for a database that is not whole."""
    with closing(sqlite3.connect(path)) as connection:
        told = connection.execute("PRAGMA integrity_check").fetchall()
        if told != [("ok",)]:
            raise ValueError(f"integrity_check: {told[0][0]}")
        connection.execute(
            "INSERT INTO errors_fts (errors_fts, rank) VALUES ('integrity-check', 1)"
        )
        digest = hashlib.sha256()
        count = 0
        columns = "id, repo, slug, error_message, message_pattern, documentation, retired_at"
        for row in connection.execute(f"SELECT {columns} FROM errors ORDER BY id"):
            digest.update(repr(row).encode())
            count += 1
        (patterns,) = connection.execute("SELECT count(*) FROM patterns").fetchone()
        digest.update(str(patterns).encode())
    return State(count, digest.hexdigest())


def state_of_site(folder: Path) -> State:
    """Every file by name and content."""
    digest, files = hashlib.sha256(), sorted(file for file in folder.rglob("*") if file.is_file())
    for file in files:
        digest.update(f"{file.relative_to(folder)}\0".encode() + file.read_bytes() + b"\0")
    return State(len(files), digest.hexdigest())


def killed(command: list[str], seconds: float, *, children: bool) -> bool:
    """Run a command and kill it after so long. False if it had ended before."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.kill(-process.pid if children else process.pid, signal.SIGKILL)
        process.wait()
        return True
    finally:
        if not children:
            _end_orphans(process.pid)
    return False


def _end_orphans(group: int) -> None:
    """What a killed process left behind notices and ends by itself; wait for that, not for ever."""
    for _ in range(100):
        if not _runs(group):
            return
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)


def _runs(group: int) -> bool:
    """Whether a process of the group does more than wait to be collected."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of_group = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(of_group) == group and state != "Z":
            return True
    return False


def seconds_of(command: list[str]) -> float:
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


class Stage:
    """Two files of records, a database of the first, and the sites of both, in a folder."""

    def __init__(self, folder: Path, records: Path, limit: int) -> None:
        self.folder = folder
        self.database, self.site = folder / "errdex.db", folder / "site"
        old, self._new = folder / "old.jsonl", folder / "new.jsonl"
        _write(records, old, self._new, limit)
        self.ingest = [*_ERRDEX, "ingest", str(self._new), "--db", str(self.database)]
        self.build = [*_ERRDEX, "build", "--db", str(self.database), "--out", str(self.site)]
        self.first_build = [*self.build, "--base-url", "https://errdex.example"]
        subprocess.run(
            [*_ERRDEX, "ingest", str(old), "--db", str(self.database)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        self._keep("old")
        self._ingest_seconds = seconds_of(self.ingest)
        self._keep("new")

    def _keep(self, name: str) -> None:
        shutil.copy(self.database, self.folder / f"{name}.db")

    def _put(self, name: str) -> None:
        for left in self.folder.glob("errdex.db*"):
            left.unlink()
        shutil.copy(self.folder / f"{name}.db", self.database)

    def kill_imports(self, rounds: int, rng: random.Random) -> Tally:
        """Kill an import again and again; each begins from the old state."""
        states = [state_of_database(self.folder / f"{name}.db") for name in ("old", "new")]
        counts, cut, broken = [0, 0], 0, list[str]()
        for turn in range(rounds):
            self._put("old")
            late = rng.uniform(0, self._ingest_seconds * _LATE)
            cut += killed(self.ingest, late, children=turn % 2 == 0)
            try:
                counts[states.index(state_of_database(self.database))] += 1
            except (ValueError, sqlite3.Error) as problem:
                broken.append(f"round {turn}: {problem}")
        return Tally(rounds, cut, counts[0], counts[1], 0, broken)

    def kill_builds(self, rounds: int, rng: random.Random, *, whole: bool) -> Tally:
        """Kill a build again and again, one of everything or one of what has changed."""
        command = self.first_build if whole else self.build
        self._put("old")
        shutil.rmtree(self.site, ignore_errors=True)
        subprocess.run(self.build, check=True, stdout=subprocess.DEVNULL)
        kept = self.folder / "site-kept"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.site, kept)
        self._put("new")
        took = seconds_of(command)
        states = [state_of_site(kept), state_of_site(self.site)]
        counts, cut, mended, broken = [0, 0], 0, 0, list[str]()
        for turn in range(rounds):
            for left in (self.site, *self.folder.glob(".site.errdex-*")):
                shutil.rmtree(left, ignore_errors=True)
            shutil.copytree(kept, self.site)
            cut += killed(command, rng.uniform(0, took * _LATE), children=turn % 2 == 0)
            at_once = self.site.exists() and state_of_site(self.site) in states
            try:
                Target(self.site).discard()
                counts[states.index(state_of_site(self.site))] += 1
                mended += not at_once
            except (ValueError, FolderForeign) as problem:
                broken.append(f"round {turn}: {problem}")
        return Tally(rounds, cut, counts[0], counts[1], mended, broken)


def _write(records: Path, old: Path, new: Path, limit: int) -> None:
    """The records, and the same again with one in ten changed, one in twenty new or gone."""
    with records.open(encoding="utf-8") as lines:
        envelopes = [json.loads(line) for line in islice(lines, limit)]
    shared = [envelope for number, envelope in enumerate(envelopes) if number % 20 != 7]
    old.write_text("".join(json.dumps(one) + "\n" for one in shared), "utf-8")
    for number, envelope in enumerate(envelopes):
        envelope["datasetVersion"] = "2999-01-01T00:00:00.000Z"
        if number % 10 == 3:
            envelope["record"]["documentation"] += " It was changed."
    new.write_text("".join(json.dumps(one) + "\n" for one in envelopes), "utf-8")


def tallies(records: Path, rounds: int, limit: int, seed: int) -> dict[str, Tally]:
    """So many kills of each sort."""
    rng = random.Random(seed)  # noqa: S311  # told, so that a run can be repeated
    with tempfile.TemporaryDirectory(prefix="errdex-crash-") as name:
        stage = Stage(Path(name), records, limit)
        found = {"imports": stage.kill_imports(rounds, rng)}
        found["whole builds"] = stage.kill_builds(rounds, rng, whole=True)
        found["builds of changes"] = stage.kill_builds(rounds, rng, whole=False)
    for sort, tally in found.items():
        print(f"{sort}: {tally}", flush=True)
    return found


def figures(records: Path, *, quick: bool = False) -> list[Figure]:
    """Old or new after every kill."""
    rounds = 3 if quick else 50
    return [
        Figure(
            f"{sort} killed at random points",
            f"{tally.killed} of {tally.rounds} cut: {tally.old} old, {tally.new} new",
            target="none broken",
            held=not tally.broken,
        )
        for sort, tally in tallies(records, rounds, 400, seed=1).items()
    ]


def main() -> int:
    """Kill, look, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records", nargs="?", type=Path, default=RECORDS)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--limit", type=int, default=2000, help="records (default 2000)")
    parser.add_argument("--seed", type=int, default=time.time_ns())
    asked = parser.parse_args()
    print(f"seed {asked.seed}")
    found = tallies(asked.records, asked.rounds, asked.limit, asked.seed)
    return 1 if any(tally.broken for tally in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
