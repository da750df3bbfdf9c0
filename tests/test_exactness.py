"""The exact tier is what testing every pattern on every view gives, found by the index."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from errdex.database.connection import open_for_reading
from errdex.load import load
from errdex.match.engine import Matcher
from errdex.match.index import exact_candidates, short_keys, unfiled
from errdex.match.keys import SHORT_BASE, keys_of
from errdex.match.views import views_of
from errdex.sources import read_lines

CASES = Path(__file__).parent / "cases"
LINES = (CASES / "records.jsonl").read_text(encoding="utf-8").splitlines()
PASTES = [
    json.loads(line)["text"]
    for line in (CASES / "pastes.jsonl").read_text(encoding="utf-8").splitlines()
]
ODD = [
    "code \\d+ from (.+?) failed",
    "(?i)STOCK is (.+?)",
    "(?i)kiss (.+?)",
    "(cat|dog) not found",
    "x{3} marks",
    "\\d{3}",
    "a(.+?)b",
    "(.+?)",
    "(.+) of (.+)",
    "é(.+?)é",
    "no file",
    "no file (.+?)",
    "no file (.+?) here",
    "no file (.+?) there",
    "line one\\nline (.+?)",
    "\\[(.+?)\\]: no",
    "[Nn]o \\w+ here",
    "^start (.+?)$",
]
HOT = [f"the value of option {word} is (.+?)" for word in "abcdefghijklmnopqrst"]
PATTERNS = ODD + HOT
WORDS = [
    "code 42 from x failed", "stock IS low", "Kiss x", "cat not found", "xxx marks",
    "no file y here", "line one\nline two", "[a]: no", "start it", "a to b", "x of y", "é-é",
    "the value of option k is 7", "the value of option", "é", "123", "\n", " ",
]  # fmt: skip


def _records(patterns: list[str]) -> list[str]:
    lines = []
    for number, pattern in enumerate(patterns):
        envelope = json.loads(LINES[0])
        envelope["record"] |= {
            "id": f"{number:016x}",
            "slug": f"odd-{number}",
            "messagePattern": pattern,
            "errorMessage": f"odd {number}",
        }
        lines.append(json.dumps(envelope))
    return lines


def _database(folder: Path, batches: list[list[str]]) -> Path:
    for number, lines in enumerate(batches):
        source = folder / f"{number}.jsonl"
        source.write_text("\n".join(lines), encoding="utf-8")
        load(read_lines(str(source)), folder / "errdex.db")
    return folder / "errdex.db"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _database(tmp_path_factory.mktemp("once"), [LINES + _records(PATTERNS)])


@pytest.fixture(scope="module")
def connection(database: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_for_reading(database)) as opened:
        yield opened


@pytest.fixture(scope="module")
def compiled(connection: sqlite3.Connection) -> dict[str, object]:
    """Every pattern that RE2 takes, compiled by it."""
    found = {}
    for source, kind in connection.execute("SELECT source, kind FROM patterns"):
        if kind != "X":
            found[source] = re2.compile(source)
    return found


def found_by_matcher(connection: sqlite3.Connection, text: str) -> set[str]:
    """The exact tier, asked for in the way of the matcher."""
    matcher = Matcher(connection)
    matcher._refresh()
    findings = matcher._findings(views_of(text))  # before ranking cuts them short
    return {finding.pattern.source for finding in findings if finding.tier == "exact"}


def found_by_trying(compiled: dict[str, object], text: str) -> set[str]:
    """Each pattern tried on each view by RE2; an empty match is none."""
    views = [view.text.encode("utf-8", "replace").decode() for view in views_of(text)]
    return {
        source
        for source, pattern in compiled.items()
        if any(
            match.end() > match.start()
            for view in views
            for match in pattern.finditer(view)  # type: ignore[attr-defined] # re2 has no types
        )
    }


@pytest.mark.parametrize("text", PASTES, ids=range(len(PASTES)))
def test_the_patterns_found_in_a_paste_are_those_that_match(
    connection: sqlite3.Connection, compiled: dict[str, object], text: str
) -> None:
    if len(text) > 5000:
        text = text[:5000]
    assert found_by_matcher(connection, text) == found_by_trying(compiled, text)


@settings(max_examples=150)
@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text("abk \n\"'[é", max_size=6))))
def test_the_patterns_found_in_any_text_are_those_that_match(
    connection: sqlite3.Connection, compiled: dict[str, object], parts: list[str]
) -> None:
    text = "".join(parts)
    assert found_by_matcher(connection, text) == found_by_trying(compiled, text)


@settings(max_examples=60)
@given(st.data())
def test_the_patterns_found_in_pieces_of_pastes_are_those_that_match(
    connection: sqlite3.Connection, compiled: dict[str, object], data: st.DataObject
) -> None:
    pieces = []
    for _ in range(data.draw(st.integers(1, 3))):
        paste = data.draw(st.sampled_from(PASTES))
        start = data.draw(st.integers(0, max(0, len(paste) - 1)))
        pieces.append(paste[start : start + data.draw(st.integers(1, 300))])
    text = data.draw(st.sampled_from(["", "\n", " "])).join(pieces)
    assert found_by_matcher(connection, text) == found_by_trying(compiled, text)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_each_odd_pattern_is_found_in_some_text(
    connection: sqlite3.Connection, pattern: str
) -> None:
    text = (
        "\n".join(WORDS)
        + "\nno file z there\nno cat here\n"
        + "\n".join(hot.replace("(.+?)", "7") for hot in HOT)
        + "\nstart"
    )
    if pattern.startswith("^"):
        text = "start it"
    assert pattern in found_by_matcher(connection, text)


def test_an_index_made_in_steps_finds_what_one_made_at_once_finds(
    connection: sqlite3.Connection, tmp_path: Path
) -> None:
    lines = LINES + _records(PATTERNS)
    random.Random(7).shuffle(lines)  # noqa: S311 # nothing secret is drawn
    stepped = _database(tmp_path, [lines[:20], lines[20:21], lines[10:90], lines[90:], lines[:5]])
    with closing(open_for_reading(stepped)) as other:
        for text in [*PASTES, *WORDS, "\n".join(HOT)]:
            assert found_by_matcher(other, text[:5000]) == found_by_matcher(connection, text[:5000])


def test_a_pattern_that_re2_refuses_is_found_by_its_template(tmp_path: Path) -> None:
    envelope = json.loads(LINES[0])
    envelope["record"] |= {
        "messagePattern": "(?<=lost )parcel (.+?)",
        "errorMessage": "lost parcel {number}",
    }
    database = _database(tmp_path, [[json.dumps(envelope)]])
    with closing(open_for_reading(database)) as opened:
        (match,) = Matcher(opened).match("ValueError: lost parcel 7").matches
        assert (match.tier, match.claimed, match.values) == ("exact", True, {"number": "7"})


def test_a_pattern_is_filed_once_however_often_it_is_imported(tmp_path: Path) -> None:
    lines = _records(["there is no file (.+?)", "there is no file (.+?)", "(.+?)"])
    database = _database(tmp_path, [lines, lines[:1], lines])
    with closing(open_for_reading(database)) as opened:
        assert opened.execute("SELECT count(*) FROM patterns").fetchone() == (2,)
        exact = opened.execute(
            "SELECT count(*) FROM pattern_keys WHERE key < ? AND posting > 0", (SHORT_BASE,)
        )
        assert exact.fetchone() == (1,)


def test_the_exact_key_alone_leads_to_each_filed_pattern(connection: sqlite3.Connection) -> None:
    hot, short = keys_of(["the value of option k is 7"])
    keys = [*hot, *(SHORT_BASE + key for key in short & short_keys(connection))]
    numbers = exact_candidates(connection, keys) | set(unfiled(connection))
    rows = connection.execute(
        f"SELECT source FROM patterns WHERE pattern IN ({','.join('?' * len(numbers))})",
        list(numbers),
    )
    assert "the value of option k is (.+?)" in {source for (source,) in rows}
