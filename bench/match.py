"""How fast and how right matching is: `python -m bench.match CORPUS DATABASE…`.

CORPUS is the JSON Lines file that the first database was made from; further databases
(say of ten times the records) are asked the same. Every figure stands beside a reference
that ran in the same process or right after it: trying every pattern, `python -c pass`.
Times of a line and of a traceback are of a warm matcher; processor time, so that what
else the machine does counts less.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.pastes import KINDS, Paste, draw
from errdex.database.connection import open_for_reading
from errdex.match.engine import Matcher
from errdex.match.finding import find_exact
from errdex.match.index import SHORT_BASE, exact_candidates, unfiled
from errdex.match.keys import keys_of
from errdex.match.rows import read_patterns
from errdex.match.verify import occurrences
from errdex.match.views import views_of

LINES = ("bare", "classed", "logger")
TRACEBACKS = ("traceback", "prefixed_traceback", "chained")
ROUNDS = 3
BRUTE_FORCE_TEXTS = 6


def main(arguments: Sequence[str] | None = None) -> None:
    """Run every part and print one table each."""
    parser = argparse.ArgumentParser(prog="python -m bench.match", description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("databases", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=60, help="pastes of every kind (default 60)")
    options = parser.parse_args(arguments)
    pastes = list(draw(options.corpus, options.each))
    for table in (
        _speed(pastes, options.databases),
        _cold(pastes, options.databases),
        _brute_force(pastes, options.databases[0]),
        _rightness(pastes, options.databases[0]),
    ):
        print("\n".join(table), end="\n\n", flush=True)


def _speed(pastes: list[Paste], databases: list[Path]) -> Iterator[str]:
    yield "| warm, processor time | database | texts | median ms | 99th percentile ms |"
    yield "|---|---|---|---|---|"
    for database in databases:
        matcher = Matcher(open_for_reading(database))
        for name, kinds in (("one line", LINES), ("traceback", TRACEBACKS), ("any", tuple(KINDS))):
            texts = [paste.text for paste in pastes if paste.kind in kinds]
            times = sorted(_best_time(matcher, text) for text in texts)
            p99 = times[int(len(times) * 0.99)]
            yield (
                f"| {name} | {database.name} | {len(texts)} "
                f"| {statistics.median(times):.2f} | {p99:.2f} |"
            )


def _best_time(matcher: Matcher, text: str) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        matcher.match(text)
        best = min(best, time.process_time() - start)
    return best * 1000


def _cold(pastes: list[Paste], databases: list[Path]) -> Iterator[str]:
    yield "| cold process, median of 7 | ms | ratio |"
    yield "|---|---|---|"
    bare = _process_time([sys.executable, "-c", "pass"])
    yield f"| python -c pass | {bare:.0f} | 1 |"
    text = next(paste.text for paste in pastes if paste.kind == "classed")
    command = [str(Path(sys.executable).with_name("errdex")), "match", text, "--db"]
    for database in databases:
        ours = _process_time([*command, str(database)])
        yield f"| errdex match, {database.name} | {ours:.0f} | {ours / bare:.1f} |"


def _process_time(command: list[str]) -> float:
    times = []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run(command, check=False, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def _brute_force(pastes: list[Paste], database: Path) -> Iterator[str]:
    """The same patterns, by the index and by trying each pattern on each view."""
    connection = open_for_reading(database)
    numbers = [number for (number,) in connection.execute("SELECT pattern FROM patterns")]
    every = read_patterns(connection, numbers)
    yield f"| {len(every):,} patterns | ms a text | patterns found |"
    yield "|---|---|---|"
    chosen = [paste for paste in pastes if paste.kind in ("classed", "json_once", "soft_wrapped")]
    texts = [paste.text for paste in chosen[:: max(1, len(chosen) // BRUTE_FORCE_TEXTS)]]
    ours, theirs, ours_time, theirs_time, re_time = 0, 0, 0.0, 0.0, 0.0
    for text in texts:
        start = time.process_time()
        views = views_of(text)
        keys, short = keys_of(view.text for view in views)
        filed = exact_candidates(connection, [*keys, *(SHORT_BASE + key for key in short)])
        rows = read_patterns(connection, filed.union(unfiled(connection)))
        found = {finding.number for finding in find_exact(rows, views)}
        ours_time += time.process_time() - start
        start = time.process_time()
        expected = {
            number
            for number, row in every.items()
            if any(occurrences(row.pattern, view.text, 1) for view in views)
        }
        theirs_time += time.process_time() - start
        if found != expected:
            raise SystemExit(f"not exact on {text!r}: {found ^ expected}")
        ours, theirs = ours + len(found), theirs + len(expected)
    some = list(every.values())[:2000]
    compiled = [re.compile(row.pattern.source) for row in some]
    start = time.process_time()
    for pattern in compiled:
        pattern.search(texts[0])
    re_time = (time.process_time() - start) * len(every) / len(some)
    yield f"| errdex, index and verification | {ours_time / len(texts) * 1000:.2f} | {ours} |"
    yield f"| every pattern tried, by pieces | {theirs_time / len(texts) * 1000:.0f} | {theirs} |"
    yield f"| every pattern tried, by `re` (one line, from 2,000) | {re_time * 1000:.0f} | |"


def _rightness(pastes: list[Paste], database: Path) -> Iterator[str]:
    matcher = Matcher(open_for_reading(database))
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for paste in pastes:
        matches = matcher.match(paste.text, limit=5).matches
        first = bool(matches) and matches[0].id in paste.right
        counts = tally[paste.kind]
        counts[0] += 1
        counts[1] += first
        counts[2] += first and matches[0].claimed
        counts[3] += any(match.id in paste.right for match in matches)
    yield "| kind of paste | pastes | right pattern first | and claimed | among five |"
    yield "|---|---|---|---|---|"
    for kind, (count, first, claimed, five) in tally.items():
        shares = " | ".join(f"{part / count:.1%}" for part in (first, claimed, five))
        yield f"| {kind} | {count} | {shares} |"


if __name__ == "__main__":
    main()
