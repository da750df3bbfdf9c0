"""A cold process: what a command costs that is started, answers and ends.

    python -m bench.cold RECORDS.jsonl

Wall time of whole processes, interleaved with `python -c pass`, which no Python program can
undercut; the median of each. What must not be imported is tested in `tests/test_match_cli.py`.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.figures import Figure, database_of, table

LIMIT_MS = 150.0
MOST_TIMES_BARE = 3.0
_LINE = "ValueError: the value of option 'depth' is not an integer"


def figures(records: Path, *, quick: bool = False) -> list[Figure]:
    """Three commands against `python -c pass`; limits are set for two of them."""
    errdex = str(Path(sys.executable).with_name("errdex"))
    database = str(database_of(records))
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "errdex --help": [errdex, "--help"],
        "errdex match, one line": [errdex, "match", _LINE, "--db", database],
        "errdex explain ED101": [errdex, "explain", "ED101"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(5 if quick else 15):
        for name, command in commands.items():
            began = time.perf_counter()
            subprocess.run(command, capture_output=True, check=False)
            times[name].append((time.perf_counter() - began) * 1000)
    middle = {name: statistics.median(taken) for name, taken in times.items()}
    bare = middle.pop("python -c pass")
    matched = middle["errdex match, one line"]
    explained = middle.pop("errdex explain ED101")
    return [
        *(_figure(name, ms, bare, LIMIT_MS) for name, ms in middle.items()),
        _figure("errdex explain ED101", explained, bare, None),
        Figure(
            "cold process: errdex match against bare Python",
            f"{matched:.0f} ms",
            f"python -c pass: {bare:.0f} ms",
            f"{matched / bare:.1f}",
            f"at most {MOST_TIMES_BARE:.0f} ×",
            matched / bare <= MOST_TIMES_BARE,
        ),
    ]


def _figure(name: str, ms: float, bare: float, limit: float | None) -> Figure:
    """One command; `limit` in milliseconds, None where none is set."""
    return Figure(
        f"cold process: {name}",
        f"{ms:.0f} ms",
        f"python -c pass: {bare:.0f} ms",
        f"{ms / bare:.1f}",
        "" if limit is None else f"under {limit:.0f} ms",
        None if limit is None else ms < limit,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records", type=Path)
    print(table(figures(parser.parse_args().records)))


if __name__ == "__main__":
    main()
