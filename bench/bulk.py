"""Whole logs: errdex against `rg -F -f`, which looks for the longest literal of each pattern.

    python -m bench.bulk DATABASE [--megabytes 100] [--share 0.02]

ripgrep tells only which lines hold a literal; errdex tells which records are in the log, with
values, and counts them.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.figures import Figure, database_of
from bench.sample_log import write_log
from errdex.match.rows import read_patterns

LEAST_RATIO = 2.0


def main() -> None:
    """Make the log and the list of literals, run both, print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("database", type=Path)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--share", type=float, default=0.02, help="of lines that are errors")
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    theirs, ours = measure(asked.database, asked.megabytes, asked.share, asked.rounds)
    print(f"ratio of wall times, best of each: {theirs / ours:.2f}")


def measure(database: Path, megabytes: int, share: float, rounds: int) -> tuple[float, float]:
    """Seconds that ripgrep and errdex take for the same log, the best of so many rounds."""
    if shutil.which("rg") is None:
        sys.exit("bench: ripgrep (rg) is not installed")
    with tempfile.TemporaryDirectory() as folder:
        log, literals = Path(folder, "sample.log"), Path(folder, "literals.txt")
        lines = write_log(log, megabytes * 1_000_000, share, database)
        count = _write_literals(literals, database)
        print(f"{lines} lines, {log.stat().st_size / 1e6:.0f} MB; {count} literals")
        theirs, ours = [], []
        for _ in range(rounds):
            theirs.append(_timed("rg -F -f", ["rg", "-F", "-c", "-f", str(literals), str(log)]))
            command = [sys.executable, "-m", "errdex", "match", "--db", str(database)]
            command += ["--file", str(log), "--log", "--limit", "1", "--format", "jsonl"]
            ours.append(_timed("errdex match", command))
    return min(theirs), min(ours)


def figures(records: Path, *, quick: bool = False) -> list[Figure]:
    """A log of 100 MB with 2 % error lines."""
    megabytes = 10 if quick else 100
    theirs, ours = measure(database_of(records), megabytes, 0.02, 2)
    return [
        Figure(
            f"log of {megabytes} MB, 2 % error lines, with values",
            f"{ours:.1f} s",
            f"rg -F -f: {theirs:.1f} s",
            f"{theirs / ours:.2f} × as fast",
            f"at least {LEAST_RATIO:.0f} ×",
            theirs / ours >= LEAST_RATIO,
        )
    ]


def _write_literals(path: Path, database: Path) -> int:
    """The longest literal of each pattern, each once, on a line of its own."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    numbers = [number for (number,) in connection.execute("SELECT pattern FROM patterns")]
    found = set()
    for row in read_patterns(connection, numbers).values():
        parts = [part for literal in row.pattern.literals for part in literal.split("\n")]
        longest = max(parts, key=len, default="")
        if len(longest) >= 4:
            found.add(longest)
    connection.close()
    path.write_text("\n".join(sorted(found)) + "\n", "utf-8")
    return len(found)


def _timed(name: str, command: list[str]) -> float:
    """Run a command; its wall time in seconds, printed with its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{name:14} {wall:7.2f} s wall {used:7.2f} s processor, {len(done.stdout)} bytes out")
    return wall


if __name__ == "__main__":
    main()
