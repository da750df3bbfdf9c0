"""Ingest against its floor and against sqlite-utils, on one file of records, in one run.

    python -m bench.ingest RECORDS.jsonl [--rounds N] [--scale BIGGER.jsonl] [--skip-reference]

The floor decodes each line with msgspec and writes it with one `executemany` into one
table, then builds a full-text index: no checks, no match index, nothing beside. Every
step runs in a process of its own, the rounds are interleaved, and the best time counts.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure, ratio_of

SEARCHED = ("error_message", "error_class", "error_code", "documentation")
LIMITS = {"first": 1.75, "second": 0.25, "changed": 1 / 3}
PEAK_LIMIT_MB = 250


class Run(NamedTuple):
    """One step, measured from the start of its process to the end."""

    seconds: float
    cpu_seconds: float
    peak_mb: float


def floor(records: Path, database: Path) -> None:
    """The least work that puts the records into SQLite and makes them searchable."""
    import sqlite3

    import msgspec

    from errdex.records import Record

    names = [field.name for field in msgspec.structs.fields(Record)]
    plain = msgspec.defstruct(
        "Plain", [(name, object) for name in names], rename="camel", module=__name__
    )
    decoder = msgspec.json.Decoder(
        msgspec.defstruct("Line", [("record", plain)], rename="camel", module=__name__)
    )
    encode = msgspec.json.encode

    def rows() -> Iterator[list[object]]:
        with records.open("rb") as lines:
            for line in lines:
                yield [
                    encode(value).decode() if type(value) is list else value
                    for value in msgspec.structs.astuple(
                        decoder.decode(line).record  # type: ignore[attr-defined]  # made above
                    )
                ]

    connection = sqlite3.connect(database)
    connection.execute(f"CREATE TABLE errors ({', '.join(names)})")
    marks = ", ".join("?" * len(names))
    connection.executemany(f"INSERT INTO errors VALUES ({marks})", rows())
    connection.execute(
        f"CREATE VIRTUAL TABLE errors_fts USING fts5 ({', '.join(SEARCHED)}, content = 'errors')"
    )
    connection.execute("INSERT INTO errors_fts (errors_fts) VALUES ('rebuild')")
    connection.commit()
    connection.close()


def change_one_percent(records: Path, changed: Path) -> None:
    """A copy in which each hundredth record, drawn at random, has other prose."""
    rng = random.Random(1)  # noqa: S311  # a benchmark, not a secret
    with records.open("rb") as source, changed.open("wb") as out:
        for line in source:
            if rng.random() < 0.01:
                row = json.loads(line)
                row["record"]["documentation"] += " It was changed."
                line = json.dumps(row).encode() + b"\n"
            out.write(line)


def measured(*command: str | Path) -> Run:
    """Run a command to its end. Raises CalledProcessError."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    # a process of its own for each command, whose children's peak is then its peak
    script = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, command)],
        check=True,
        stdout=subprocess.PIPE,
    )
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(seconds, cpu, int(done.stdout) / 1024)


def ingest(records: Path, database: Path) -> Run:
    """Our own command."""
    return measured(sys.executable, "-m", "errdex", "ingest", records, "--db", database)


def remove(database: Path) -> None:
    for path in database.parent.glob(f"{database.name}*"):
        path.unlink()


def round_of(records: Path, changed: Path, folder: Path) -> dict[str, Run]:
    """Each step once."""
    ours, plain = folder / "ours.db", folder / "floor.db"
    remove(ours)
    remove(plain)
    runs = {"floor": measured(sys.executable, "-m", "bench.ingest", "--floor", plain, records)}
    runs["first"] = ingest(records, ours)
    runs["second"] = ingest(records, ours)
    runs["changed"] = ingest(changed, ours)
    return runs


def reference(records: Path, folder: Path) -> Run:
    """`sqlite-utils insert --nl` with the same columns, then `enable-fts`."""
    database = folder / "reference.db"
    remove(database)
    tool = [sys.executable, "-m", "sqlite_utils"]
    flat = folder / "flat.jsonl"
    with records.open("rb") as source, flat.open("w") as out:
        for line in source:
            out.write(json.dumps(json.loads(line)["record"]) + "\n")
    insert = measured(*tool, "insert", database, "errors", flat, "--nl")
    fields = ("errorMessage", "errorClass", "errorCode", "documentation")
    search = measured(*tool, "enable-fts", database, "errors", *fields)
    return Run(
        insert.seconds + search.seconds,
        insert.cpu_seconds + search.cpu_seconds,
        max(insert.peak_mb, search.peak_mb),
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("records", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scale", type=Path, help="a file of 1,000,000 records, for the peak")
    parser.add_argument("--skip-reference", action="store_true")
    parser.add_argument("--floor", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.floor:
        floor(chosen.records, chosen.floor)
        return
    folder = Path(tempfile.mkdtemp(dir=chosen.records.parent))
    try:
        report(chosen, folder)
    finally:
        shutil.rmtree(folder)


def report(chosen: argparse.Namespace, folder: Path) -> None:
    changed = folder / "changed.jsonl"
    change_one_percent(chosen.records, changed)
    rounds = [round_of(chosen.records, changed, folder) for _ in range(chosen.rounds)]
    best = {name: min(runs[name] for runs in rounds) for name in rounds[0]}
    bytes_in = chosen.records.stat().st_size
    print(f"{chosen.records.name}: {bytes_in / 1e6:.0f} MB, best of {chosen.rounds} rounds")
    for name, run in best.items():
        print(
            f"  {name:9} {run.seconds:6.2f} s  {run.cpu_seconds:6.2f} s CPU  {run.peak_mb:4.0f} MB"
        )
    ratio("first import / floor", best["first"], best["floor"], LIMITS["first"])
    ratio("second import / first", best["second"], best["first"], LIMITS["second"])
    ratio("1 % changed / first", best["changed"], best["first"], LIMITS["changed"])
    peak("first import", best["first"])
    if not chosen.skip_reference:
        slow = reference(chosen.records, folder)
        print(f"  sqlite-utils {slow.seconds:.2f} s")
        ratio("first import / sqlite-utils", best["first"], slow, 0.25)
    if chosen.scale:
        remove(folder / "ours.db")
        big = ingest(chosen.scale, folder / "ours.db")
        print(f"  {chosen.scale.name}: {big.seconds:.2f} s")
        peak("first import of that", big)


def ratio(name: str, run: Run, against: Run, limit: float) -> None:
    found = run.seconds / against.seconds
    verdict = "holds" if found <= limit else "FAILS"
    print(f"{name:28} {found:6.3f}  (at most {limit:.3f}: {verdict})")


def peak(name: str, run: Run) -> None:
    verdict = "holds" if run.peak_mb < PEAK_LIMIT_MB else "FAILS"
    print(f"peak of {name:20} {run.peak_mb:6.0f} MB  (under {PEAK_LIMIT_MB}: {verdict})")


def figures(records: Path, *, quick: bool = False) -> list[Figure]:
    """Each step beside the floor, beside itself, and beside sqlite-utils."""
    with tempfile.TemporaryDirectory(prefix="errdex-ingest-") as name:
        folder = Path(name)
        changed = folder / "changed.jsonl"
        change_one_percent(records, changed)
        rounds = [round_of(records, changed, folder) for _ in range(1 if quick else 3)]
        slow = reference(records, folder)
    best = {step: min(runs[step] for runs in rounds) for step in rounds[0]}
    first, floor_, again, change = (
        best[step].seconds for step in ("first", "floor", "second", "changed")
    )
    memory = best["first"].peak_mb
    return [
        ratio_of("first import", first, floor_, "decode and insert", LIMITS["first"]),
        ratio_of("first import", first, slow.seconds, "sqlite-utils", 0.25),
        ratio_of("second import of the same", again, first, "the first", LIMITS["second"]),
        ratio_of("import that changes 1 %", change, first, "the first", LIMITS["changed"]),
        Figure(
            "first import, peak memory",
            f"{memory:.0f} MB",
            target=f"under {PEAK_LIMIT_MB} MB",
            held=memory < PEAK_LIMIT_MB,
        ),
    ]


if __name__ == "__main__":
    main()
