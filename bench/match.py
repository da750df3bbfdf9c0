"""How fast and how right matching is: `python -m bench.match CORPUS DATABASE…`.

CORPUS is the JSON Lines file that the first database was made from; further databases
(say of ten times the records) are asked the same. The reference, trying every pattern on
every view, runs in the same process. Cold processes are measured by `bench.cold`. Times of
a line and of a traceback are of a warm matcher; processor time, so that what
else the machine does counts less.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure, database_of
from bench.pastes import KINDS, Paste, draw
from errdex.database.connection import open_for_reading
from errdex.match.engine import Matcher
from errdex.match.finding import find_exact
from errdex.match.index import exact_candidates, unfiled
from errdex.match.keys import SHORT_BASE, keys_of
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
        _brute_force(pastes, options.databases[0]),
        _rightness(pastes, options.databases[0]),
    ):
        print("\n".join(table), end="\n\n", flush=True)


class Spread(NamedTuple):
    """Milliseconds of processor time for texts of one sort."""

    texts: int
    median: float
    p99: float


SORTS = {"one line": LINES, "traceback": TRACEBACKS, "any": tuple(KINDS)}


def speed(pastes: list[Paste], database: Path, kinds: Sequence[str]) -> Spread:
    """How long a warm matcher takes for pastes of these kinds, each the best of some rounds."""
    matcher = Matcher(open_for_reading(database))
    texts = [paste.text for paste in pastes if paste.kind in kinds]
    times = sorted(_best_time(matcher, text) for text in texts)
    return Spread(len(texts), statistics.median(times), times[int(len(times) * 0.99)])


def _speed(pastes: list[Paste], databases: list[Path]) -> Iterator[str]:
    yield "| warm, processor time | database | texts | median ms | 99th percentile ms |"
    yield "|---|---|---|---|---|"
    for database in databases:
        for name, kinds in SORTS.items():
            found = speed(pastes, database, kinds)
            yield (
                f"| {name} | {database.name} | {found.texts} "
                f"| {found.median:.2f} | {found.p99:.2f} |"
            )


def _best_time(matcher: Matcher, text: str) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        matcher.match(text)
        best = min(best, time.process_time() - start)
    return best * 1000


class Trial(NamedTuple):
    """The same patterns found in two ways, and by `re`; milliseconds a text."""

    patterns: int
    ours: float
    tried: float
    by_re: float
    found: int


def brute_force(pastes: list[Paste], database: Path) -> Trial:
    """By the index, and by trying each pattern on each view. Ends the program if they differ."""
    connection = open_for_reading(database)
    numbers = [number for (number,) in connection.execute("SELECT pattern FROM patterns")]
    every = read_patterns(connection, numbers)
    chosen = [paste for paste in pastes if paste.kind in ("classed", "json_once", "soft_wrapped")]
    texts = [paste.text for paste in chosen[:: max(1, len(chosen) // BRUTE_FORCE_TEXTS)]]
    ours_time, theirs_time, count = 0.0, 0.0, 0
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
        count += len(found)
    some = list(every.values())[:2000]
    compiled = [re.compile(row.pattern.source) for row in some]
    start = time.process_time()
    for pattern in compiled:
        pattern.search(texts[0])
    re_ms = (time.process_time() - start) * 1000 * len(every) / len(some)
    each = 1000 / len(texts)
    return Trial(len(every), ours_time * each, theirs_time * each, re_ms, count)


def _brute_force(pastes: list[Paste], database: Path) -> Iterator[str]:
    trial = brute_force(pastes, database)
    yield f"| {trial.patterns:,} patterns | ms a text | patterns found |"
    yield "|---|---|---|"
    yield f"| errdex, index and verification | {trial.ours:.2f} | {trial.found} |"
    yield f"| every pattern tried, by pieces | {trial.tried:.0f} | {trial.found} |"
    yield f"| every pattern tried, by `re` (one line, from 2,000) | {trial.by_re:.0f} | |"


class Right(NamedTuple):
    """Of pastes of one kind: how many, and for how many the right pattern came first, came
    first and was claimed, and came among five."""

    pastes: int = 0
    first: int = 0
    claimed: int = 0
    five: int = 0


def rightness(pastes: list[Paste], database: Path) -> dict[str, Right]:
    """How often the right pattern is found, by kind of paste."""
    matcher = Matcher(open_for_reading(database))
    tally: dict[str, Right] = defaultdict(Right)
    for paste in pastes:
        matches = matcher.match(paste.text, limit=5).matches
        first = bool(matches) and matches[0].id in paste.right
        told = (True, first, first and matches[0].claimed)
        five = any(match.id in paste.right for match in matches)
        tally[paste.kind] = Right(
            *(count + one for count, one in zip(tally[paste.kind], (*told, five), strict=True))
        )
    return tally


def _rightness(pastes: list[Paste], database: Path) -> Iterator[str]:
    yield "| kind of paste | pastes | right pattern first | and claimed | among five |"
    yield "|---|---|---|---|---|"
    for kind, right in rightness(pastes, database).items():
        shares = " | ".join(f"{part / right.pastes:.1%}" for part in right[1:])
        yield f"| {kind} | {right.pastes} | {shares} |"


LINE_MS, TRACEBACK_MS, TRACEBACK_P99_MS, LEAST_RIGHT = 0.3, 10.0, 40.0, 0.998


def figures(records: Path, *, quick: bool = False) -> list[Figure]:
    """Speed, exactness beside brute force, and how often the right pattern comes first."""
    database, pastes = database_of(records), list(draw(records, 10 if quick else 60))
    line = speed(pastes, database, LINES)
    traceback = speed(pastes, database, TRACEBACKS)
    trial = brute_force(pastes, database)
    beside = f"every pattern tried: {trial.tried:.0f} ms by pieces, {trial.by_re:.0f} ms by re"
    kinds = rightness(pastes, database)
    clean = [kinds[kind] for kind in (*LINES, *TRACEBACKS)]
    return [
        Figure(
            "one line, warm: median of processor time",
            f"{line.median:.2f} ms",
            beside,
            f"1 : {trial.tried / line.median:,.0f}",
            f"under {LINE_MS} ms",
            line.median < LINE_MS,
        ),
        Figure(
            "traceback, warm: median",
            f"{traceback.median:.1f} ms",
            target=f"under {TRACEBACK_MS:.0f} ms",
            held=traceback.median < TRACEBACK_MS,
        ),
        Figure(
            "traceback, warm: 99th percentile",
            f"{traceback.p99:.1f} ms",
            target=f"under {TRACEBACK_P99_MS:.0f} ms",
            held=traceback.p99 < TRACEBACK_P99_MS,
        ),
        Figure(
            f"exactness: patterns found of {trial.patterns:,}",
            str(trial.found),
            f"every pattern tried on every view: {trial.found}",
            "1",
            "the same",
            True,
        ),
        _right("lines and tracebacks as they are", clean, LEAST_RIGHT),
        _right("pastes of all kinds of mess", list(kinds.values()), None),
    ]


def _right(name: str, rights: list[Right], least: float | None) -> Figure:
    pastes, first = sum(one.pastes for one in rights), sum(one.first for one in rights)
    share = first / pastes
    return Figure(
        f"right pattern first, {name}",
        f"{share:.1%} of {pastes:,}",
        target="" if least is None else f"at least {least:.1%}",
        held=None if least is None else share >= least,
    )


if __name__ == "__main__":
    main()
