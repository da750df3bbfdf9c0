"""Every figure of errdex beside its reference, in one run: `python -m bench`.

    python -m bench [--records FILE] [--only NAME]… [--quick] [--out docs/benchmarks.md]

Without --records a corpus of 100,000 records is made first, from packages of the index
(`bench.corpus`). The table replaces the one in docs/benchmarks.md, unless only some parts run
or --quick is given; then it is printed alone.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from bench.corpus import CACHE, write_corpus
from bench.figures import Figure, table

PARTS = (
    "ingest",
    "match",
    "sweep",
    "cold",
    "bulk",
    "hostile",
    "regexes",
    "build",
    "browser",
    "serve",
    "crash",
)
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- figures: python -m bench -->", "<!-- end of the figures -->"
_QUICK = 5000
_LIBRARIES = ("datasette", "google-re2", "jinja2", "markdown-it-py", "msgspec", "sqlite-utils")
_TOOLS = {
    "hugo": ("hugo", "version"),
    "ripgrep": ("rg", "--version"),
    "wrk": ("wrk", "--version"),
    "Chromium": ("chromium", "--version"),
    "Node": ("node", "--version"),
}


class Part(NamedTuple):
    """What one benchmark gave, and how long it took."""

    name: str
    figures: list[Figure]
    seconds: float


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=Path, help="a corpus that exists already")
    parser.add_argument("--only", action="append", choices=PARTS, help="these parts alone")
    parser.add_argument("--quick", action="store_true", help=f"{_QUICK:,} records, few rounds")
    parser.add_argument("--count", type=int, default=100_000, help="records of a new corpus")
    parser.add_argument("--cache", type=Path, default=CACHE, help=f"corpus, downloads ({CACHE})")
    parser.add_argument("--out", type=Path, help="the page (docs/benchmarks.md)")
    asked = parser.parse_args()
    records = asked.records or _made(asked.cache, _QUICK if asked.quick else asked.count)
    if asked.quick and asked.records:
        records = _first(records, asked.cache)
    head = describe(records)
    parts = [_run(name, records, quick=asked.quick) for name in asked.only or PARTS]
    text = f"{head}\n" + "".join(
        f"\n### {part.name} ({part.seconds:.0f} s)\n\n{table(part.figures)}" for part in parts
    )
    print(f"\n{text}")
    out = asked.out or (None if asked.quick or asked.only else PAGE)
    if out:
        write(out, text)
    missed = [figure.name for part in parts for figure in part.figures if figure.held is False]
    print("every target holds" if not missed else f"missed: {', '.join(missed)}")
    return 1 if missed else 0


def _made(cache: Path, count: int) -> Path:
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / f"corpus-{count}.jsonl"
    if not path.exists():
        partial = path.with_suffix(".partial")
        write_corpus(partial, count, cache)
        partial.rename(path)
    return path


def _first(records: Path, cache: Path) -> Path:
    """The first few of them, spread over the file so that all repos take part."""
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / f"quick-{records.stem}.jsonl"
    with records.open("rb") as lines:
        kept = lines.readlines()
    path.write_bytes(b"".join(kept[:: max(1, len(kept) // _QUICK)][:_QUICK]))
    return path


def _run(name: str, records: Path, *, quick: bool) -> Part:
    print(f"\n== {name}", flush=True)
    began = time.perf_counter()
    try:
        figures: list[Figure] = importlib.import_module(f"bench.{name}").figures(
            records, quick=quick
        )
    except (OSError, subprocess.CalledProcessError, SystemExit, ValueError) as problem:
        figures = [Figure(name, f"could not run: {str(problem)[:200]}", held=False)]
    return Part(name, figures, time.perf_counter() - began)


# -- the page -----------------------------------------------------------------------------


def describe(records: Path) -> str:
    """Machine, date and versions, as a list."""
    with records.open("rb") as lines:
        count = sum(1 for _ in lines)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return "\n".join(
        [
            f"- Records: {count:,}, {records.stat().st_size / 1e6:,.0f} MB.",
            f"- Machine: {_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB,"
            f" {platform.system()} {platform.release().partition('-')[0]}; load before"
            f" {os.getloadavg()[0]:.1f}.",
            f"- Date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC.",
            f"- Versions: {', '.join(versions())}.",
        ]
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.+)$", info.read_text(), re.M) if info.exists() else None
    return found[1] if found else platform.machine()


def versions() -> Iterator[str]:
    """Of errdex, of what it runs on, and of what it is measured against."""
    yield f"errdex {version('errdex')} ({_commit()})"
    yield f"Python {platform.python_version()}"
    yield f"SQLite {sqlite3.sqlite_version}"
    for name in _LIBRARIES:
        yield f"{name} {version(name)}"
    for name, command in _TOOLS.items():
        if shutil.which(command[0]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            number = re.search(r"\d+\.\d+[\w.]*", done.stdout or done.stderr)
            yield f"{name} {number[0] if number else 'of unknown version'}"


def _commit() -> str:
    command = ["git", "-C", str(PAGE.parent), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "no commit"


def write(page: Path, text: str) -> None:
    """Put the figures between the marks of the page."""
    whole = page.read_text(encoding="utf-8")
    before, _, rest = whole.partition(BEGIN)
    _, _, behind = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{behind}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
