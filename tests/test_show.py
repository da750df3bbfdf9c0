"""`errdex show`: one record as text, Markdown or JSON."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from errdex import markdown, outline, text
from errdex.cli import main
from errdex.decode import decode_line
from errdex.load import load
from errdex.records import Entry
from errdex.sources import read_lines

CASES = Path(__file__).parent / "cases"
SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
ID = "aaead811d0809fef"
NAME = "sgl-project/sglang/lora-with-eagle-nextn-eagle3-speculative-decoding"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("show") / "errdex.db"
    load(read_lines(str(SEED)), path)
    return path


@pytest.fixture(scope="module")
def seed() -> Entry:
    return decode_line(SEED.read_bytes())


def changed(entry: Entry, **fields: object) -> Entry:
    record = msgspec.structs.replace(entry.record, **fields)
    return Entry(record=record, dataset_version=entry.dataset_version)


def show(database: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["show", *arguments, "--db", str(database)])


@pytest.mark.parametrize("name", [ID, ID.upper(), f"ERR-{ID}", NAME, f"/{NAME}/"])
def test_a_record_is_shown_by_each_of_its_names(database: Path, name: str) -> None:
    result = show(database, name)
    assert result.exit_code == 0
    assert result.output.startswith(
        f"ValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding {{reason}}.\n{ID}  {NAME}\n"
    )


def test_the_text_has_every_part_of_the_record_in_order(database: Path) -> None:
    lines = show(database, ID).output.splitlines()
    titles = [line for line in lines if line and not line.startswith(" ") and ":" not in line]
    assert titles[1:] == [
        "What it means",
        "When it is raised",
        "How people meet it",
        "Fixes",
        "Example fix",
        "Check before",
        "Prevention",
        "Where it is raised",
    ]
    assert "  1. Follow {reason}: disable the flagged feature" in "\n".join(lines)
    assert "  10731 >                 raise ValueError(" in lines
    assert "severity: error" in lines


def test_an_unknown_record_is_refused_with_a_sentence(database: Path) -> None:
    result = show(database, "no/such/record")
    assert result.exit_code == 1
    assert result.output == (
        f"errdex: no record is called no/such/record in {database};"
        " give an id or owner/repo/slug. [errdex explain ED302]\n"
    )


def test_a_missing_database_is_refused_with_a_sentence(tmp_path: Path) -> None:
    result = show(tmp_path / "none.db", ID)
    assert result.exit_code == 1
    assert result.output == (
        f"errdex: {tmp_path}/none.db does not exist;"
        f" make it with `errdex ingest SOURCE --db {tmp_path}/none.db`. [errdex explain ED201]\n"
    )


def test_a_file_that_is_no_database_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("these are notes, not tables\n" * 100)
    result = show(path, ID)
    assert result.exit_code == 1
    assert result.output == (
        f"errdex: {path} is not an errdex database (file is not a database);"
        " name another with --db. [errdex explain ED202]\n"
    )


def test_json_gives_the_envelope_that_the_record_came_in(database: Path) -> None:
    result = show(database, ID, "--format", "json")
    assert msgspec.json.decode(result.output) == msgspec.json.decode(SEED.read_bytes())


def test_markdown_has_a_fence_around_each_code_part(database: Path) -> None:
    written = show(database, ID, "--format", "markdown").output
    assert written.startswith("# `ValueError: LoRA with EAGLE/")
    assert written.count("\n```diff\n") == 1
    assert written.count("\n```python\n") == 2


def test_output_to_a_pipe_has_no_escape_codes(database: Path) -> None:
    command = [sys.executable, "-m", "errdex", "show", ID, "--db", str(database)]
    result = subprocess.run(command, capture_output=True, check=True)
    assert b"\x1b" not in result.stdout


def test_a_terminal_gets_colors_links_and_wrapped_prose(database: Path) -> None:
    shown = _on_a_terminal(database, {"TERM": "xterm-256color", "COLUMNS": "60"})
    assert "\x1b[1mValueError" in shown
    assert "\x1b]8;;https://github.com/sgl-project/sglang/blob/" in shown
    start = shown.index("Raised when LoRA")
    assert "\n" in shown[start : start + 62]


def test_no_color_is_respected(database: Path) -> None:
    assert "\x1b" not in _on_a_terminal(database, {"TERM": "xterm", "NO_COLOR": "1"})


def _on_a_terminal(database: Path, environment: dict[str, str]) -> str:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "errdex", "show", ID, "--db", str(database)],
        stdout=theirs,
        env={key: os.environ[key] for key in ("PATH",)} | environment,
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # Linux says so when the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    return shown.decode()


def test_escape_codes_of_a_record_never_reach_the_terminal(seed: Entry) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\r"
    entry = changed(
        seed,
        error_message=evil,
        documentation=evil,
        solutions=[evil],
        example_fix=evil,
        source_code=evil,
        file_path=evil,
        prevention_tips=[evil],
    )
    shown = text.render(entry, text.Style(color=False, links=False, width=80))
    assert not set(shown) & set("\x1b\x07\x9b\u202e\r")
    assert "␛]0;owned␇␛[2J\\x9b31m\\u202egnp.exe␍" in shown


@given(st.text())
def test_visible_text_holds_nothing_that_a_terminal_acts_on(raw: str) -> None:
    shown = text.visible(raw)
    assert all(letter in "\t\n" or ord(letter) >= 0x20 for letter in shown)
    assert text.visible(shown) == shown


def test_code_that_holds_a_fence_cannot_leave_its_own(seed: Entry) -> None:
    written = markdown.render(changed(seed, validation_code="```\n# not a heading\n```"))
    assert "\n````python\n```\n# not a heading\n```\n````\n" in written


@given(st.text())
def test_a_code_span_is_one_line_that_its_text_cannot_end(raw: str) -> None:
    span = markdown.code_span(raw)
    fence = span[: len(span) - len(span.lstrip("`"))]
    assert "\n" not in span
    assert fence not in span[len(fence) : -len(fence)].strip(" ") or not raw.strip()


@pytest.mark.parametrize(
    "example",
    ["# before\na = 1\n# after\na = 2", "// BEFORE:\na = 1\n\n// AFTER:\na = 2\n"],
)
def test_before_and_after_become_a_diff(seed: Entry, example: str) -> None:
    found = outline.sections(changed(seed, example_fix=example))
    assert outline.Section("Example fix", "diff", ["- a = 1", "+ a = 2"]) in found


def test_an_example_without_marks_stays_code(seed: Entry) -> None:
    found = outline.sections(changed(seed, example_fix="after\na = 2"))
    assert outline.Section("Example fix", "code", ["after", "a = 2"]) in found


def test_every_record_of_the_cases_is_shown_in_each_form() -> None:
    for line in read_lines(str(CASES / "records.jsonl")):
        entry = decode_line(line.data)
        assert entry.record.id in text.render(entry, text.Style(True, True, 40))
        assert entry.record.id in markdown.render(entry)
