"""No wrong "required": a sweep over every pattern of a database.

    python -m bench.sweep DATABASE

For each pattern texts are made that it matches, from its template and from what a first
match leaves (cut, repeated, other values, upper case). Python's own `re` says whether it
matches such a text; where it does, the analysis must say that it may: the literals are in
the text, in their order, the pattern is among the text's candidates, and the matcher's own
verification finds it. Anything else is a record that can never be found.
"""

from __future__ import annotations

import argparse
import random
import re
import sqlite3
import sys
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure, database_of
from errdex.database.connection import open_for_reading
from errdex.match.index import exact_candidates, short_keys, unfiled
from errdex.match.keys import SHORT_BASE, keys_of
from errdex.match.verify import occurrences
from errdex.patterns import analyze

VALUES = ("42", "x", "/data/a b.json", "<class 'int'>", "['a', 'b']", "", "é ☃", "a: b, c")
_PLACEHOLDER = re.compile(r"\{[^{}\n]{0,80}\}")
_SHOWN = 10


class Swept(NamedTuple):
    """What a sweep found."""

    patterns: int
    texts: int
    """Texts that `re` says are matched."""
    unmade: int
    """Patterns of which no text was made that matches: their template is not theirs."""
    wrong: list[str]
    """What the analysis denies of a pattern that matches, with the text."""


def sweep(database: Path, seed: int = 1) -> Swept:
    """Try every pattern of the database that `re` takes."""
    dice = random.Random(seed)  # noqa: S311  # the same texts each time
    patterns = matched = unmade = 0
    wrong: list[str] = []
    with closing(open_for_reading(database)) as connection:
        short, always = short_keys(connection), frozenset(unfiled(connection))
        for number, source, message in _rows(connection):
            patterns += 1
            try:
                with warnings.catch_warnings(action="ignore"):
                    compiled = re.compile(source)
            except (re.error, RecursionError, OverflowError):
                continue
            texts = [text for text in _texts(message, dice) if compiled.search(text)]
            unmade += not texts
            matched += len(texts)
            for text in texts:
                denied = _denied(connection, number, source, message, text, short)
                if denied and not (denied == "no candidate" and number in always):
                    wrong.append(f"{denied}: {source!r} in {text!r}")
    return Swept(patterns, matched, unmade, wrong)


def _rows(connection: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
    """Number, source and one template of each pattern."""
    yield from connection.execute(
        "SELECT patterns.pattern, source, min(error_message) FROM patterns"
        " JOIN errors ON errors.pattern = patterns.pattern"
        " WHERE kind != 'X' GROUP BY patterns.pattern"
    ).fetchall()


def _texts(message: str, dice: random.Random) -> Iterator[str]:
    """Texts that may hold the message: with values, in a line, damaged, in other case."""
    whole = _PLACEHOLDER.sub(lambda _: dice.choice(VALUES), message)
    yield whole
    yield f"2026-11-30 ERROR x: {whole} (see above)\nmore"
    yield whole + whole
    yield whole.upper()
    cut = dice.randrange(len(whole) + 1)
    yield whole[:cut]
    yield whole[cut:]
    yield whole[:cut] + dice.choice(VALUES) + whole[cut:]


def _denied(
    connection: sqlite3.Connection,
    number: int,
    source: str,
    message: str,
    text: str,
    short: frozenset[int],
) -> str:
    """What the analysis denies of a pattern that does match the text; empty if nothing."""
    pattern = analyze(source, message)
    where = 0
    held, literals = text, pattern.literals
    if pattern.fold:
        held, literals = text.lower(), tuple(map(str.lower, literals))
    for literal in literals:
        where = held.find(literal, where)
        if where < 0:
            return "a required literal is missing"
        where += len(literal)
    if not occurrences(pattern, text, 1):
        return "not verified"
    keys, windows = keys_of([text])
    filed = [*keys, *(SHORT_BASE + window for window in windows & short)]
    return "" if number in exact_candidates(connection, filed) else "no candidate"


def figures(records: Path, *, quick: bool = False) -> list[Figure]:
    """The sweep as a line of the common table; a quick one sweeps all of its fewer records."""
    found = sweep(database_of(records))
    return [
        Figure(
            "patterns whose analysis denies a match",
            f"{len(found.wrong)} of {found.patterns:,}",
            f"`re`, {found.texts:,} matching texts",
            target="0",
            held=not found.wrong,
        )
    ]


def main() -> int:
    """Print the counts and the first faults; 1 if there is any."""
    parser = argparse.ArgumentParser(prog="python -m bench.sweep", description=__doc__)
    parser.add_argument("database", type=Path)
    found = sweep(parser.parse_args().database)
    print(f"{found.patterns} patterns, {found.texts} texts that re matches, {found.unmade} without")
    print(f"{len(found.wrong)} denied")
    for fault in found.wrong[:_SHOWN]:
        print("  " + fault[:500])
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
