"""errdex explains itself: every error of its own has a record, and the record is true."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from errdex.cli import COMMANDS
from errdex.decode import decode_line
from errdex.errors import ErrdexError, registry
from errdex.match.values import captured, group_names
from errdex.match.verify import occurrences
from errdex.match.views import View
from errdex.patterns import analyze
from errdex.records import Record
from tools import own_errors

ROOT = Path(__file__).parent.parent
LINES = own_errors.RECORDS.read_bytes().splitlines()
RECORDS = {str(record.error_code): record for record in (decode_line(x).record for x in LINES)}
ERRORS = registry()

each_error = pytest.mark.parametrize("code", sorted(ERRORS))
each_record = pytest.mark.parametrize("code", sorted(RECORDS))


def fill(template: str) -> tuple[str, dict[str, str]]:
    """A message of the template, and the values in it."""
    names = dict.fromkeys(re.findall(r"(?<!\{)\{(\w+)\}", template))
    values = {name: f"{name}7" for name in names}
    return template.format(**values), values


def test_every_error_has_a_record_and_every_record_an_error() -> None:
    assert sorted(RECORDS) == sorted(ERRORS)
    assert len(LINES) == len(RECORDS)


@each_error
def test_a_code_is_two_letters_and_three_digits_of_its_part(code: str) -> None:
    assert re.fullmatch(r"ED[1-6]\d\d", code)


@each_error
def test_a_message_is_one_sentence_that_says_what_to_do(code: str) -> None:
    message, _ = fill(ERRORS[code].template)
    assert message.endswith(".")
    assert "\n" not in message
    assert re.search(r"[;:,] ", message), "what is wrong, then what to do"


@each_record
def test_a_record_is_what_the_code_says_today(code: str) -> None:
    record, cls = RECORDS[code], ERRORS[code]
    site = own_errors.raise_site(cls, record.file_path)
    assert site is not None, f"{cls.__name__} is raised nowhere"
    assert record.error_class == cls.__name__
    assert (record.file_path, record.line_number) == (site.path, site.line)
    assert (record.source_code_start, record.source_code_end) == (site.start, site.end)
    lines = (ROOT / site.path).read_text(encoding="utf-8").splitlines()
    assert record.source_code == "\n".join(lines[site.start - 1 : site.end])
    assert cls.__name__ in lines[site.line - 1]


@each_record
def test_a_record_matches_its_own_message_and_captures_the_values(code: str) -> None:
    record = RECORDS[code]
    message, values = fill(ERRORS[code].template)
    pattern = analyze(record.message_pattern, record.error_message)
    view = View(message)
    found = [
        captured(view, one, group_names(pattern, record.error_message))
        for one in occurrences(pattern, view.text)
    ]
    assert {re.sub(r"_\d$", "", name): value for name, value in found[0].items()} == values


def texts_of(record: Record) -> list[str]:
    return [
        record.documentation,
        record.trigger_scenarios,
        record.common_situations,
        *record.solutions,
        *record.prevention_tips,
    ]


@each_record
def test_a_record_says_what_it_means_why_it_is_raised_and_how_to_mend_it(code: str) -> None:
    record = RECORDS[code]
    assert all(len(text.strip()) > 20 for text in texts_of(record)[:3])
    assert record.solutions
    assert all(text.strip().endswith((".", "`", "?", ")")) for text in texts_of(record))
    assert record.tags[0] == "errdex"
    assert record.background_tag


@each_record
def test_commands_in_a_record_exist(code: str) -> None:
    record = RECORDS[code]
    spans = re.findall(r"`([^`]+)`", "\n".join(texts_of(record)))
    lines = [*spans, *(record.example_fix or "").splitlines()]
    used = re.findall(r"(?:^|[;&|] |/bin/|data |[A-Z_]+=\S+ )errdex (\w+)", "\n".join(lines), re.M)
    assert set(used) <= set(COMMANDS)


def test_the_file_is_what_the_tool_would_write() -> None:
    assert own_errors.outputs() == {own_errors.RECORDS: own_errors.RECORDS.read_text("utf-8")}


def test_an_error_without_a_record_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unexplained(ErrdexError):
        code = "ED999"
        template = "nobody has explained this; do so."

    monkeypatch.setattr(own_errors, "registry", lambda: ERRORS | {"ED999": Unexplained})
    with pytest.raises(SystemExit) as stopped:
        own_errors.outputs()
    assert str(stopped.value) == (
        "data/errdex.jsonl: no record for ED999 Unexplained; no error for none"
    )


def test_the_tool_says_what_it_takes() -> None:
    command = [sys.executable, "-m", "tools", "--wrong"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 2
    assert "python -m tools" in result.stderr
