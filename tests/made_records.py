"""Records for tests of matching, made from the first of the cases, and a matcher over them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from errdex.database.connection import open_for_reading
from errdex.load import load
from errdex.match.engine import Matcher
from errdex.sources import read_lines

_FIRST = Path(__file__).parent / "cases" / "records.jsonl"


def pattern_of(message: str) -> str:
    """The wildcard pattern of a template."""
    parts = re.split(r"\{[^{}]+\}", message)
    return "(.+?)".join(re.escape(part) for part in parts)


@contextmanager
def matching(folder: Path, *changes: dict[str, object]) -> Iterator[Matcher]:
    """A matcher over one record for each of `changes`, numbered from 0 in their ids."""
    first = _FIRST.read_text(encoding="utf-8").splitlines()[0]
    lines = []
    for number, change in enumerate(changes):
        envelope = json.loads(first)
        envelope["record"] |= {"id": f"{number:016x}", "slug": f"made-{number}", "errorCode": None}
        envelope["record"] |= {"messagePattern": pattern_of(str(change["errorMessage"]))} | change
        lines.append(json.dumps(envelope))
    source = folder / "made.jsonl"
    source.write_text("\n".join(lines), encoding="utf-8")
    load(read_lines(str(source)), folder / "made.db")
    with closing(open_for_reading(folder / "made.db")) as connection:
        yield Matcher(connection)


def number(identifier: str) -> int:
    """The number of a made record."""
    return int(identifier, 16)
