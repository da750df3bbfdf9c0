"""The browser's engine, run by Node, against the Python engine: the same answers, always."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from errdex.database.connection import open_for_reading
from errdex.match.engine import MOST_LINES, Matcher
from errdex.match.views import views_of
from errdex.style import visible
from errdex_site import constants
from errdex_site.shards import Shards

HERE = Path(__file__).parent
CASES = HERE / "cases"
pytestmark = pytest.mark.usefixtures("needs_node")
JS = HERE / "js"


def texts() -> list[str]:
    """The texts of all paste cases."""
    return [
        json.loads(line)["text"]
        for name in ("pastes.jsonl", "more_pastes.jsonl")
        for line in (CASES / name).read_text(encoding="utf-8").splitlines()
    ]


def node(script: str, lines: Sequence[str], *arguments: str) -> list[Any]:
    """What a script of ours makes of each text."""
    run = subprocess.run(
        ["node", str(JS / script), *arguments],
        input="\n".join(map(json.dumps, lines)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, visible(run.stderr)
    return [json.loads(line) for line in run.stdout.split("\n") if line]


def python_answers(database: Path, lines: Sequence[str]) -> list[Any]:
    """The Python engine's answers, without its full-text guesses, which the browser has not."""
    with closing(open_for_reading(database)) as connection:
        matcher = Matcher(connection)
        answers = [matcher.match(line) for line in lines]
    return [
        answer._replace(matches=[one for one in answer.matches if one.tier != "text"]).as_json()
        for answer in answers
    ]


def differences(database: Path, index: Path, lines: Sequence[str]) -> Iterator[str]:
    """Each text on which the two engines disagree, with both answers."""
    ours = node("answers.mjs", lines, str(index))
    for line, one, other in zip(lines, ours, python_answers(database, lines), strict=True):
        same = one["matches"] == other["matches"] and one["secret"] == other["secret"]
        if not same:
            yield f"{line!r}\n  browser: {one}\n  python:  {other}"


@pytest.fixture(scope="module")
def index(case_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the case records, as files."""
    folder = tmp_path_factory.mktemp("index")
    with closing(open_for_reading(case_database)) as connection:
        shards = Shards(connection)
        for path in shards.paths():
            body = shards.file(path)
            assert body is not None, path
            (folder / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            (folder / path[1:]).write_bytes(body)
    return folder


def test_every_paste_case_is_answered_as_python_answers_it(
    case_database: Path, index: Path
) -> None:
    assert list(differences(case_database, index, texts())) == []


def test_every_message_of_the_records_is_answered_as_python_answers_it(
    case_database: Path, index: Path
) -> None:
    with (CASES / "records.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    records = [row.get("record", row) for row in rows]
    lines = [f"{record['errorClass']}: {record['errorMessage']}" for record in records]
    assert list(differences(case_database, index, lines)) == []


def test_damaged_pastes_are_answered_as_python_answers_them(
    case_database: Path, index: Path
) -> None:
    """Cut, shuffled, and sown with what the two languages see differently."""
    chance = random.Random(20261130)  # noqa: S311 # the same damage in every run
    sown = ["\x1b[31m", "\x85", "\x1c", "\u2028", "\ufeff", "é", "😀", "𝐀", "ı", "ſ", "K", "\r\n"]
    sown += ["&lt;", "&amp;notit;", "&hearts;", "\\n", "\\u00e9", "'", '"', "{x}", "    ", "\t| "]
    sown += ["token=abcdefghijkl", "\ud800", "٣", "│ ", "[rank0]: ", "\x00", "“", "…"]
    lines = []
    for text in texts():
        for _ in range(4):
            damaged = text
            for _ in range(chance.randrange(1, 6)):
                at = chance.randrange(len(damaged) + 1)
                damaged = damaged[:at] + chance.choice(sown) + damaged[at + chance.randrange(4) :]
            start = chance.randrange(len(damaged) // 3 + 1)
            lines.append(damaged[start : len(damaged) - chance.randrange(len(damaged) // 3 + 1)])
    assert list(differences(case_database, index, lines)) == []


def test_lines_beyond_the_bound_are_not_read(case_database: Path, index: Path) -> None:
    """By neither engine; a line just before it is."""
    message = "ModuleNotFoundError: No module named 'flash_attn'"
    last, behind = ("\n" * (MOST_LINES - 1 + over) + message for over in (0, 1))
    assert list(differences(case_database, index, [last, behind])) == []
    read, unread = python_answers(case_database, [last, behind])
    assert read["matches"]
    assert unread["matches"] == []


def test_every_paste_case_is_read_in_the_same_views() -> None:
    ours = node("views.mjs", texts())
    for text, views in zip(texts(), ours, strict=True):
        assert views == [view.text for view in views_of(text)], text


def test_the_constants_of_the_browser_are_those_of_python() -> None:
    """Else run `python -m errdex_site.constants`."""
    written = (constants.FOLDER / "constants.js").read_text(encoding="utf-8")
    assert written == constants.constants()
    assert (constants.FOLDER / "entities.js").read_text(encoding="utf-8") == constants.entities()
