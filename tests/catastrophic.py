"""The known catastrophic patterns of `tests/cases/catastrophic.jsonl`, each with its worst text."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from errdex.load import load
from errdex.sources import Line

ROOT = Path(__file__).parent.parent
SIZE = 10_000
"""Characters of a text. Twenty already keep a backtracking engine busy for minutes."""


class Case(msgspec.Struct):
    """A pattern and the text that makes a backtracking engine despair of it."""

    name: str
    pattern: str
    head: str
    unit: str
    tail: str
    found: bool
    """True if the pattern is in the text; never for one that RE2 refuses."""

    def text(self, size: int = SIZE) -> str:
        """Its text, of about so many characters."""
        return self.head + self.unit * (size // len(self.unit)) + self.tail


CASES = msgspec.json.Decoder(Case).decode_lines(
    (ROOT / "tests" / "cases" / "catastrophic.jsonl").read_bytes()
)


def load_all(database: Path) -> None:
    """Make a database whose every record has one of the patterns; ids are their numbers."""
    seed = json.loads((ROOT / "data" / "seed.jsonl").read_bytes())["record"]
    lines = []
    for number, case in enumerate(CASES):
        own = {"id": f"{number:016x}", "slug": f"case-{number}", "messagePattern": case.pattern}
        record = {**seed, **own, "errorMessage": f"case {case.name}", "errorCode": None}
        lines.append(Line("catastrophic", number, json.dumps(record).encode()))
    load(lines, database)
