"""Patterns that keep a backtracking engine busy for years end here, and with right answers.

Nothing is timed. What runs them may use so many seconds of processor time for all of them
together; a single one that backtracks would use that up many times over, as the first test shows.
How long each takes is measured by `python -m bench.hostile`.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from errdex.patterns import analyze
from tests.catastrophic import CASES, ROOT, Case, load_all

ALL_SECONDS = 60
RUN = [sys.executable, "-c"]
ENGINE = """
import sys
from pathlib import Path
from errdex.database.connection import open_for_reading
from errdex.match.engine import Matcher
from tests.catastrophic import CASES
matcher = Matcher(open_for_reading(Path(sys.argv[1])))
for case in CASES:
    matches = matcher.match(case.text(), limit=len(CASES)).matches
    print(*(match.id for match in matches if match.tier == "exact"))
"""
PIECES = """
from errdex.match.verify import occurrences
from errdex.patterns import analyze
from tests.catastrophic import CASES
for case in CASES:
    print(bool(occurrences(analyze(case.pattern), case.text())))
"""


def bounded(command: list[str], seconds: int = ALL_SECONDS, **options: object) -> str:
    """What a command prints; it is killed after so much processor time."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        preexec_fn=limit,
        check=False,
        **options,  # type: ignore[call-overload]  # input, or nothing
    )
    assert done.returncode == 0, done.stderr or done.returncode
    return str(done.stdout)


def test_a_backtracking_engine_is_stopped_by_the_same_bound() -> None:
    program = "import re; re.search('(a+)+$', 'a' * 60 + '!')"
    with pytest.raises(AssertionError):
        bounded([*RUN, program], seconds=1)


def test_each_pattern_is_found_in_its_text_or_not_as_it_should() -> None:
    found = bounded([*RUN, PIECES]).split()
    assert dict(zip((case.name for case in CASES), found, strict=True)) == {
        case.name: str(case.found) for case in CASES
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_expected_is_what_re_finds_in_a_short_text(case: Case) -> None:
    """Twelve characters or so, which even a backtracking engine can decide."""
    if analyze(case.pattern).kind == "X":
        assert not case.found  # it is not tried, and its message's own words stand in for it
    else:
        matches = re.finditer(case.pattern, case.text(max(12, 2 * len(case.unit))))
        assert any(match.end() > match.start() for match in matches) is case.found


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("catastrophic") / "errdex.db"
    load_all(path)
    return path


def test_a_database_of_nothing_else_answers_every_text(database: Path) -> None:
    answers = bounded([*RUN, ENGINE, str(database)]).split("\n")
    for number, (case, answer) in enumerate(zip(CASES, answers, strict=False)):
        assert (f"{number:016x}" in answer.split()) is case.found, case.name


@pytest.mark.usefixtures("needs_node")
def test_the_browsers_engine_finds_the_same() -> None:
    texts = "\n".join(json.dumps([case.pattern, case.text()]) for case in CASES)
    told = bounded(["node", "tests/js/linear.mjs"], input=texts)
    found = [json.loads(line) for line in told.splitlines()]
    assert dict(zip((case.name for case in CASES), found, strict=True)) == {
        case.name: case.found for case in CASES
    }
