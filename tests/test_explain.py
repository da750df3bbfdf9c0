"""`errdex explain`: offline, by code, id, path, or the text of a message."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from errdex import shipped
from errdex.cli import main
from errdex.errors import registry

SEED = "aaead811d0809fef"
OWN = {entry.record.error_code: entry for entry in shipped.read_entries()}


def explain(*arguments: str, typed: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments], input=typed)


@pytest.mark.parametrize("code", sorted(registry()))
def test_every_code_of_errdex_is_explained(code: str) -> None:
    result = explain(code)
    assert result.exit_code == 0, result.output
    assert f"code: {code}\n" in result.output
    for title in ("What it means", "When it is raised", "Fixes", "Where it is raised"):
        assert f"\n{title}\n" in result.output


@pytest.mark.parametrize(
    "asked",
    [
        "ED101",
        "ed101",
        " ED101 ",
        "errdex/errdex/source-missing",
        "/errdex/errdex/source-missing/",
        OWN["ED101"].record.id,
        f"ERR-{OWN['ED101'].record.id.upper()}",
        "errdex: x.jsonl does not exist; name a file of records that does. [errdex explain ED101]",
        "x.jsonl does not exist; name a file of records that does.",
        "2026-11-30 12:00:00 job[7]: errdex: x.jsonl does not exist; name a file of records that"
        " does.",
        "[errdex explain ED101]",
    ],
)
def test_one_error_is_found_by_each_of_its_names(asked: str) -> None:
    result = explain(asked)
    assert result.exit_code == 0, result.output
    assert "\ncode: ED101\n" in result.output


def test_another_record_that_ships_is_explained_too() -> None:
    message = "ValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding is off."
    for asked in (SEED, message):
        result = explain(asked)
        assert result.exit_code == 0
        assert result.output.startswith("ValueError: LoRA with EAGLE/NEXTN/EAGLE3")


def test_a_dash_reads_standard_input() -> None:
    result = explain("-", typed="errdex: port 1 on h is in use; … [errdex explain ED501]\n")
    assert result.exit_code == 0
    assert "code: ED501" in result.output


def test_input_that_is_no_utf_8_is_read_all_the_same() -> None:
    result = explain("-", typed=b"\xff\xfe [errdex explain ED501]")
    assert result.exit_code == 0
    assert "code: ED501" in result.output


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("ED999", "ED999"),
        ("what?\nwho?", "what? who?"),
        ("\x1b[31mred", "␛[31mred"),
        ("a" * 100, "a" * 79 + "…"),
    ],
)
def test_what_nothing_explains_is_said_so(asked: str, shown: str) -> None:
    result = explain(asked)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == (
        f"errdex: nothing that ships with errdex explains {shown}; ask a database with"
        " `errdex match`. [errdex explain ED602]\n"
    )


@pytest.mark.parametrize("asked", ["", "  \n", "/"])
def test_an_empty_question_is_refused(asked: str) -> None:
    result = explain(asked)
    assert result.exit_code == 2
    assert result.stderr == (
        "errdex: there is no text to match; give it as an argument or on standard input."
        " [errdex explain ED301]\n"
    )


def test_explain_needs_no_database_and_leaves_none(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "errdex", "explain", "ED201"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0
    assert result.stderr == ""
    assert list(tmp_path.iterdir()) == []


def test_a_message_ends_with_the_command_that_explains_it(tmp_path: Path) -> None:
    """What a user sees can be pasted back as it is."""
    command = [sys.executable, "-m", "errdex", "show", SEED, "--db", "none.db"]
    failed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert failed.stderr == (
        "errdex: none.db does not exist; make it with `errdex ingest SOURCE --db none.db`."
        " [errdex explain ED201]\n"
    )
    assert "\ncode: ED201\n" in explain(failed.stderr).output
