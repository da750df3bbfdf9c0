"""How long hostile texts and patterns take: `python -m bench.hostile [DATABASE]`.

A table, one row a text: seconds of processor time for 50 kB and for 1 MB, beside the
limits of 0.1 and 1 second, and how much longer the big one takes than its size alone
explains (1 where the time is linear). Without a database the records of tests/cases are
used. A second table tries catastrophic patterns, of which each takes seconds to years in
a backtracking engine.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from errdex.database.connection import open_for_reading
from errdex.load import load
from errdex.match.engine import Matcher
from errdex.match.verify import occurrences
from errdex.patterns import analyze
from errdex.sources import read_lines

RECORDS = Path(__file__).parent.parent / "tests" / "cases" / "records.jsonl"
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

PATTERNS = {
    "(a+)+$": "a" * 50_000 + "!",
    "(a|aa)+$": "a" * 50_000 + "!",
    "(a|a?)+b": "a" * 50_000,
    r"(\w+\s?)*:$": "word " * 10_000,
    "(.*)(.*)(.*)(.*)(.*)x": "a" * 50_000,
    "(.+?)a(.+?)a(.+?)a(.+?)a(.+?)b": "a" * 50_000,
    "(.+?) is not (.+?) of (.+?) in (.+?)!": "x is not y of " * 4_000,
    "(.*?)": "a" * 50_000,
    "x*": "a" * 50_000,
    "(x|)": "a" * 50_000,
    "((a{0,100}){0,10}){0,1}b": "a" * 50_000,
    "(?i)(s+)+k": "S" * 50_000,
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


def main(database: Path) -> bool:
    """Print both tables; true if everything stays within the limits."""
    matcher = Matcher(open_for_reading(database))
    matcher.match("warm up: No such file or directory")
    small, big = texts(SMALL), texts(BIG)
    print(f"{'text':28} {'50 kB, s':>9} {'1 MB, s':>9} {'÷ size':>7}")
    good = True
    for name in small:
        few = seconds(lambda name=name: matcher.match(small[name]))  # type: ignore[misc] # bound now
        many = seconds(lambda name=name: matcher.match(big[name]))  # type: ignore[misc] # bound now
        over = few > MOST_SMALL or many > MOST_BIG
        good = good and not over
        ratio = many / few / (BIG / SMALL)
        print(
            f"{name:28} {few:9.3f} {many:9.3f} {ratio:7.1f}{'  OVER' if over else ''}", flush=True
        )
    print(f"\n{'pattern':40} {'kind':>4} {'50 kB, s':>9}")
    for source, text in PATTERNS.items():
        pattern = analyze(source)
        few = seconds(lambda pattern=pattern, text=text: occurrences(pattern, text))  # type: ignore[misc] # bound now
        over = few > MOST_SMALL
        good = good and not over
        print(f"{source:40} {pattern.kind:>4} {few:9.3f}{'  OVER' if over else ''}", flush=True)
    return good


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(not main(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory() as folder:
        load(read_lines(str(RECORDS)), Path(folder) / "cases.db")
        sys.exit(not main(Path(folder) / "cases.db"))
