"""Whole logs: what is found equals matching every event by itself."""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errdex.bulk.blocks import blocks
from errdex.bulk.exact import Asked
from errdex.bulk.filed import Filed
from errdex.bulk.lines import Lines
from errdex.bulk.narrow import Narrower
from errdex.bulk.scan import Scanner
from errdex.database.connection import open_for_reading
from errdex.events import events, is_plain
from errdex.load import load
from errdex.match.answers import Match
from errdex.match.engine import Matcher
from errdex.match.rows import read_patterns
from errdex.sources import read_lines

CASES = Path(__file__).parent / "cases"


def _cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


PASTES = [case["text"] for case in (*_cases("pastes.jsonl"), *_cases("more_pastes.jsonl"))]
RECORDS = [case["record"] for case in _cases("records.jsonl")]
VALUES = ("42", "'a b'", "/srv/x.toml", "None", "(3, 4)", "grün", "C:\\new\\table", '"q"', "")
_GROUP = re.compile(r"\(\.[+*]\??\)")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bulk") / "errdex.db"
    load(read_lines(str(CASES / "records.jsonl")), path)
    return path


def made_up_log(seed: int, events_wanted: int = 100) -> str:
    """Ordinary lines, known messages in many dresses, and whole pastes, in any order."""
    rng = random.Random(seed)  # noqa: S311  # the same log each time
    return "\n".join(_some(rng) for _ in range(events_wanted)) + rng.choice(["", "\n"])


def _some(rng: random.Random) -> str:
    clock = f"2026-11-30 12:{rng.randrange(60):02}:{rng.randrange(60):02},123"
    if rng.random() < 0.45:
        return rng.choice(
            [
                f"{clock} INFO [worker] request {rng.randrange(10**6)} served in 3 ms",
                f'10.0.0.{rng.randrange(255)} - - [30/Nov/2026] "GET /a?b=1&c=2 HTTP/1.1" 200 7',
                f'{{"level":"info","msg":"cache flushed","id":{rng.randrange(10**9)}}}',
                "starting up",
                "",
                "    indented detail",
                f"{clock} ERROR [worker] something that nobody knows",
            ]
        )
    if rng.random() < 0.15:
        return str(rng.choice(PASTES))
    record = rng.choice(RECORDS)
    name: str | None = record["errorClass"]
    path: str = record["filePath"]
    parts = [re.sub(r"\\(.)", r"\1", part) for part in _GROUP.split(record["messagePattern"])]
    message = "".join(part + rng.choice(VALUES) for part in parts[:-1]) + parts[-1]
    said = f"{name}: {message}" if name and rng.random() < 0.7 else message
    return rng.choice(
        [
            said,
            f"{clock} ERROR [worker] {said}",
            f"api-1  | {said}",
            f"\x1b[31m{clock} ERROR\x1b[0m {said}",
            f"[31m{clock} ERROR[0m " + said.replace(" ", " [1m", 1).replace(" ", "[22m ", 1),
            said.replace("\n", "#012")
            .replace(" is ", " <http://a.example|is> ")
            .replace('"', "＂"),
            json.dumps({"level": "error", "msg": said}),
            f"Traceback (most recent call last):\n"
            f'  File "/app/{path}", line {rng.randrange(1, 300)}, in f\n    f()\n{said}',
            f"{clock} ERROR failed\r\n{said}\r",
        ]
    )


def each_by_itself(database: Path, log: str, limit: int = 5) -> list[object]:
    """What matching every event by itself says, each distinct error once."""
    connection = open_for_reading(database)
    matcher = Matcher(connection)
    found: dict[tuple[str, ...], list[tuple[int, str, list[Match]]]] = {}
    for event in events(line.removesuffix("\r") for line in log.split("\n")):
        answer = matcher.match(event.text, limit=100)
        exact = [match for match in answer.claimed if match.tier == "exact"][:limit]
        if exact:
            best = tuple(match.id for match in exact if match.group == exact[0].group)
            found.setdefault(best, []).append((event.line, event.text, exact))
    connection.close()
    return [
        (text, _plain(exact), line, seen[-1][0], len(seen))
        for seen in found.values()
        for line, text, exact in seen[:1]
    ]


def _plain(matches: list[Match]) -> list[object]:
    return [
        (match.id, match.values, match.score, match.spans, match.reasons, match.line)
        for match in matches
    ]


def scanned(scanner: Scanner, log: str) -> list[object]:
    return [
        (one.text, _plain(one.answer.matches), one.first_line, one.last_line, one.times)
        for one in scanner.scan(io.BytesIO(log.encode("utf-8", "surrogatepass")))
    ]


@pytest.mark.parametrize("seed", range(5))
def test_a_log_read_with_numpy_equals_matching_every_event_by_itself(
    database: Path, seed: int
) -> None:
    log = made_up_log(seed)
    scanner = Scanner(database, Asked(), processes=2, size=4096)
    found = scanned(scanner, log)
    assert found == each_by_itself(database, log)
    assert len(found) > 8


@pytest.mark.parametrize("seed", range(20, 23))
def test_a_log_read_without_numpy_equals_matching_every_event_by_itself(
    database: Path, seed: int
) -> None:
    log = made_up_log(seed)
    assert scanned(Scanner(database, Asked()), log) == each_by_itself(database, log)


def test_only_the_records_that_are_asked_for_are_told(database: Path) -> None:
    log = made_up_log(7)
    everything = Scanner(database, Asked()).scan(io.BytesIO(log.encode()))
    repos = {match.repo for one in everything for match in one.answer.matches}
    assert len(repos) > 2
    for repo in repos:
        found = Scanner(database, Asked(repo=repo)).scan(io.BytesIO(log.encode()))
        assert {match.repo for one in found for match in one.answer.matches} == {repo}
    sure = Scanner(database, Asked(min_score=0.8)).scan(io.BytesIO(log.encode()))
    assert 0 < len(sure) < len(everything)
    assert all(match.score >= 0.8 for one in sure for match in one.answer.matches)


def test_an_empty_log_has_no_errors(database: Path) -> None:
    assert Scanner(database, Asked()).scan(io.BytesIO(b"")) == []


def test_a_log_of_other_bytes_than_text_is_read_to_its_end(database: Path) -> None:
    log = bytes(range(256)) * 40 + b"\nworker exited with code 9\n" + b"\xff\xfe\x00" * 50
    (found,) = Scanner(database, Asked(), size=1000).scan(io.BytesIO(log))
    assert found.answer.matches[0].values == {"code": "9"}


PIECES = st.sampled_from(
    [
        "plain text",
        "",
        "   indented",
        "Traceback (most recent call last):",
        '  File "/a.py", line 3, in f',
        "ValueError: no",
        "2026-11-30 12:00:00 ERROR [a] broken",
        "2026-11-30 12:00:00 INFO [a] well",
        "Caused by: java.io.IOException: gone",
        "\tat a.b.C(D.java:3)",
        "}",
        "The above exception was the direct cause of the following exception:",
        "and a further line",
    ]
)


@settings(max_examples=100)
@given(st.lists(PIECES, max_size=120), st.integers(20, 400))
def test_blocks_have_the_events_that_the_whole_log_has(lines: list[str], size: int) -> None:
    log = "\n".join(lines).encode()
    parts = list(blocks(io.BytesIO(log), size))
    assert b"".join(parts) == log
    whole = [event.text for event in events(lines)]
    apart = [event.text for part in parts for event in events(part.decode().split("\n"))]
    assert apart == whole


@settings(max_examples=100)
@given(st.lists(PIECES, max_size=60))
def test_events_of_several_lines_are_found_around_uncertain_lines(lines: list[str]) -> None:
    block = Lines("\n".join(lines).encode())
    uncertain = [number for number, line in enumerate(lines) if not is_plain(line)]
    found = list(block.events_of_several([number for number in uncertain if number < len(block)]))
    several = [event for event in events(lines) if "\n" in event.text]
    assert [(first + 1, text) for first, _, text in found] == [
        (event.line, event.text) for event in several
    ]


def test_numpy_narrows_to_lines_with_keys(database: Path) -> None:
    connection = open_for_reading(database)
    filed = Filed(connection)
    quick = Narrower(filed)
    quick.patterns = lambda numbers: read_patterns(connection, numbers)
    lines = Lines(made_up_log(3, 400).encode())
    thorough, narrowed = filed.narrow(lines), quick.narrow(lines)
    connection.close()
    assert narrowed.active == thorough.active
    assert narrowed.uncertain == thorough.uncertain
    for number, patterns in narrowed.hits.items():
        both = b"".join(map(lines.folded_line, range(number, min(number + 2, len(lines)))))
        assert patterns <= filed.patterns(both)
    assert 0 < len(narrowed.hits) <= len(thorough.hits)


def test_without_numpy_nothing_of_it_is_imported(database: Path) -> None:
    program = (
        "import io, sys; sys.modules['numpy'] = None\n"
        "from pathlib import Path\n"
        "from errdex.bulk.exact import Asked\n"
        "from errdex.bulk.scan import Scanner\n"
        f"scanner = Scanner(Path({str(database)!r}), Asked(), processes=2, size=1000)\n"
        "log = b'all is well\\n' * 300 + b'worker exited with code 5\\n'\n"
        "print([(one.first_line, one.answer.matches[0].values) for one in"
        " scanner.scan(io.BytesIO(log))])\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stderr == ""
    assert run.stdout == "[(301, {'code': '5'})]\n"
