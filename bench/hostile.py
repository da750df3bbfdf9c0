"""How long hostile texts and patterns take: `python -m bench.hostile [RECORDS.jsonl]`.

A table, one row a text: seconds of processor time for 50 kB and for 1 MB, beside the
limits of 0.1 and 1 second, and how much longer the big one takes than its size alone
explains (1 where the time is linear). Without RECORDS those of tests/cases are
used. Catastrophic patterns have a benchmark of their own, `bench.regexes`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bench.figures import Figure, database_of
from errdex.database.connection import open_for_reading
from errdex.match.engine import Matcher

RECORDS = Path(__file__).parent.parent / "tests" / "cases" / "records.jsonl"
"""Used where none are given."""
SMALL, BIG = 50_000, 1_000_000
MOST_SMALL, MOST_BIG = 0.1, 1.0

REPEATED = {
    "one letter": "a",
    "blanks": " ",
    "line breaks": "\n",
    "CRLF": "\r\n",
    "(": "(",
    '"': '"',
    "'": "'",
    "{": "{",
    "[": "[",
    "<": "<",
    "backslashes": "\\",
    'escaped quotes \\"': '\\"',
    "ESC [": "\x1b[",
    "colors": "\x1b[31mx\x1b[0m",
    "NUL": "\x00",
    "backspaces": "x\x08",
    "entities": "&amp;",
    "tags": "<b>x</b>",
    "links": "[a](https://b.c)",
    "half a link": "[a](https://",
    "curly quotes": "“",
    "half a literal": "Cannot find module 'x",
    "a literal, one a line": "No such file or directory: 'x'\n",
    "paths": "/a/b/c.py",
    "frames": 'File "/a/b.py", line 7, in f\n',
    "class names": "ValueError: ",
    "dotted names": "a.b.",
    "prefixes": "[1] ",
    "prefixed lines": "2026-11-30 12:00:01 ERROR x: y\n",
    "boxes": "│ x │\n",
    "two streams": "a-1  | x\nb-1  | y\n",
    "lines of 80": "x" * 80 + "\n",
    "JSON strings": '{"a": "b c\\n"}',
    "CSV quotes": ',"a ""b"" c"',
    "python repr": "ValueError('a', 'b')",
    "tokens": "-eyJ",
    "passwords": "password=abcdefgh ",
    "private keys": "-----BEGIN PRIVATE KEY-----",
    "é": "é",
    "emoji": "\U0001f600",
    "surrogates": "\\ud83d",
}

LONG_TAIL = {
    "ESC [ and digits": ("\x1b[", "1"),
    "a box and blanks": ("│", " "),
    "a drive and letters": ('{"a": "', "b"),
    "pid and digits": ("x\n(a pid", "1"),
    "a JSON string never closed": ('{"a": "b ', "\\n"),
    "compose and blanks": ("x\na", " "),
    "a frame never closed": ('File "', "a"),
}


def texts(size: int) -> dict[str, str]:
    """Every hostile text, by name, cut to `size` characters."""
    found = {name: (unit * (size // len(unit) + 1))[:size] for name, unit in REPEATED.items()}
    for name, (head, unit) in LONG_TAIL.items():
        found[name] = (head + unit * (size // len(unit) + 1))[:size]
    return found


def seconds(act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def measure(database: Path, names: Iterable[str]) -> Iterator[tuple[str, float, float]]:
    """Name, seconds for 50 kB and for 1 MB of each text."""
    matcher = Matcher(open_for_reading(database))
    matcher.match("warm up: No such file or directory")
    small, big = texts(SMALL), texts(BIG)
    for name in names:
        yield (
            name,
            seconds(lambda name=name: matcher.match(small[name])),  # type: ignore[misc] # bound now
            seconds(lambda name=name: matcher.match(big[name])),  # type: ignore[misc] # bound now
        )


def figures(records: Path, *, quick: bool = False) -> list[Figure]:
    """The slowest text of each size, against a database of the records."""
    names = [*REPEATED, *LONG_TAIL]
    print(f"{'text':28} {'50 kB, s':>9} {'1 MB, s':>9} {'÷ size':>7}")
    slowest = [("", 0.0), ("", 0.0)]
    for name, few, many in measure(database_of(records), names[::6] if quick else names):
        over = "  OVER" if few > MOST_SMALL or many > MOST_BIG else ""
        print(
            f"{name:28} {few:9.3f} {many:9.3f} {many / few / (BIG / SMALL):7.1f}{over}", flush=True
        )
        slowest = [
            max(one, (name, took), key=lambda pair: pair[1])
            for one, took in zip(slowest, (few, many), strict=True)
        ]
    return [
        Figure(
            f"slowest of {len(names)} hostile texts of {size}",
            f"{took:.3f} s ({name})",
            target=f"at most {limit:.1f} s",
            held=took <= limit,
        )
        for (name, took), size, limit in zip(
            slowest, ("50 kB", "1 MB"), (MOST_SMALL, MOST_BIG), strict=True
        )
    ]


if __name__ == "__main__":
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    sys.exit(not all(figure.held for figure in figures(given)))
