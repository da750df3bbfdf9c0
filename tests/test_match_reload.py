"""One matcher while its database changes: what it keeps in memory is never out of date."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from errdex.database.connection import open_for_reading
from errdex.load import load
from errdex.match.engine import Matcher
from errdex.match.rows import PatternRow
from errdex.sources import read_lines

SEED = json.loads((Path(__file__).parent.parent / "data" / "seed.jsonl").read_bytes())


def make(path: Path, *messages: str) -> None:
    """Load a record for each message."""
    records = path.with_suffix(".jsonl")
    with records.open("w") as file:
        for number, message in enumerate(messages):
            fields = {"id": f"{hash_of(message):016x}", "slug": f"s{hash_of(message)}-{number}"}
            fields |= {"errorMessage": message, "messagePattern": message}
            file.write(json.dumps({**SEED, "record": {**SEED["record"], **fields}}) + "\n")
    load(read_lines(str(records)), path)


def hash_of(message: str) -> int:
    return sum(ord(letter) << 3 * at for at, letter in enumerate(message[:9]))


def found(matcher: Matcher, text: str) -> list[str]:
    answer = matcher.match(text)
    return [match.error_message for match in answer.matches if match.tier == "exact"]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "errdex.db"
    make(path, "the first valve is stuck")
    return path


@pytest.fixture
def matcher(database: Path) -> Iterator[Matcher]:
    with closing(open_for_reading(database)) as connection:
        yield Matcher(connection)


def test_an_import_is_seen_by_a_matcher_that_has_answered(database: Path, matcher: Matcher) -> None:
    assert found(matcher, "the first valve is stuck") == ["the first valve is stuck"]
    make(database, "a second pump ran dry")
    assert found(matcher, "a second pump ran dry") == ["a second pump ran dry"]
    assert found(matcher, "the first valve is stuck") == ["the first valve is stuck"]


def test_patterns_are_not_read_again_after_an_import(database: Path, matcher: Matcher) -> None:
    assert found(matcher, "the first valve is stuck") == ["the first valve is stuck"]
    known = matcher._patterns[1]
    make(database, "a second pump ran dry")
    assert found(matcher, "a second pump ran dry") == ["a second pump ran dry"]
    assert matcher._patterns[1] is known


def test_another_state_that_is_put_back_into_the_file_is_seen(
    database: Path, matcher: Matcher, tmp_path: Path
) -> None:
    """SQLite's `.restore` writes another database into the same file, with its own numbers."""
    assert found(matcher, "the first valve is stuck") == ["the first valve is stuck"]
    make(tmp_path / "other.db", "quite another tank is full")
    source, target = sqlite3.connect(tmp_path / "other.db"), sqlite3.connect(database)
    with closing(source), closing(target):
        source.backup(target)
    assert found(matcher, "quite another tank is full") == ["quite another tank is full"]
    assert found(matcher, "the first valve is stuck") == []


def test_matchers_of_one_file_share_what_they_know_of_patterns(database: Path) -> None:
    with closing(open_for_reading(database)) as one, closing(open_for_reading(database)) as other:
        patterns: dict[int, PatternRow] = {}
        assert found(Matcher(one, patterns), "the first valve is stuck")
        assert list(patterns) == [1]
        known = patterns[1]
        assert found(Matcher(other, patterns), "the first valve is stuck")
        assert patterns[1] is known


def test_patterns_that_were_read_first_are_forgotten_when_there_are_many(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("errdex.match.engine._MOST_PATTERNS", 4)
    texts = [f"part {name} is worn" for name in ("alpha", "bravo", "charlie", "delta", "echo")]
    make(database, *texts)
    with closing(open_for_reading(database)) as connection:
        patterns: dict[int, PatternRow] = {}
        matcher = Matcher(connection, patterns)
        for text in texts * 3:
            assert text in found(matcher, text)
            assert len(patterns) <= 4 + len(texts)
