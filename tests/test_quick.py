"""A plain `errdex match TEXT`, which is answered without the command line proper."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from errdex.cli import main
from errdex.load import ingest
from errdex.quick import PlainCall, plain_call

SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
SLOW = ("click", "msgspec", "dataclasses", "jinja2", "datasette", "pygments", "re2")
TEXTS = [
    "ValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding is off.",
    "nothing that any record knows",
    "",
    "\x1b[31mValueError\x1b[0m: off",
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("quick") / "a b%23?ü.db"
    ingest([str(SEED)], path)
    return path


def called(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "errdex", *arguments],
        env=os.environ | environment,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
    )


@pytest.mark.parametrize("text", TEXTS)
def test_the_short_way_prints_what_the_long_one_does(database: Path, text: str) -> None:
    known = {"ERRDEX_DB": str(database), "ERRDEX_SITE": "https://e.org/"}
    short = called("match", text, **known)
    long = CliRunner().invoke(main, ["match", text, "--limit", "5"], env=known)
    assert (short.stdout, short.stderr, short.returncode) == (long.output, "", long.exit_code)


def test_bytes_that_are_no_text_do_not_stop_it(database: Path) -> None:
    run = called("match", "ValueError: \udcff\udc80", ERRDEX_DB=str(database))
    assert (run.returncode, run.stderr) == (1, "")


@pytest.mark.parametrize("arguments", [["match"], ["match", "--limit", "3"]], ids=" ".join)
def test_a_terminal_that_knows_ascii_only_is_shown_escapes(
    database: Path, arguments: list[str]
) -> None:
    said = {"ERRDEX_DB": str(database), "PYTHONIOENCODING": "ascii"}
    run = called(*arguments, TEXTS[0], **said)
    assert "\\xb7 score 0." in run.stdout
    assert (run.returncode, run.stderr) == (0, "")


def test_a_missing_database_is_told_as_the_long_way_tells_it() -> None:
    run = called("match", "a text", ERRDEX_DB="none.db")
    assert (run.returncode, run.stdout) == (2, "")
    long = CliRunner().invoke(main, ["match", "a text", "--db", "none.db"])
    assert run.stderr == long.stderr


def test_nobody_who_reads_on_is_no_traceback(database: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run(
        [sys.executable, "-m", "errdex", "match", TEXTS[0]],
        env=os.environ | {"ERRDEX_DB": str(database)},
        stdout=write,
        stderr=subprocess.PIPE,
    )
    os.close(write)
    assert (run.returncode, run.stderr) == (1, b"")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["match"],
        ["match", "-"],
        ["match", "--help"],
        ["match", "a", "b"],
        ["match", "a", "--db"],
        ["match", "--db", "a"],
        ["match", "a", "--db", "b", "--json"],
        ["match", "a", "--db", "b", "--db", "c"],
        ["show", "a"],
    ],
    ids=" ".join,
)
def test_every_other_call_goes_the_long_way(arguments: list[str]) -> None:
    assert plain_call(arguments) is None


@pytest.mark.parametrize(
    "arguments",
    [["match", "a text", "--db", "x.db"], ["match", "--db", "x.db", "a text"]],
    ids=" ".join,
)
def test_a_database_may_be_named(arguments: list[str]) -> None:
    assert plain_call(arguments) == PlainCall("a text", Path("x.db"))


def test_it_imports_nothing_that_reads_options_or_records(database: Path) -> None:
    program = (
        "import sys\n"
        f"sys.argv = ['errdex', 'match', {TEXTS[0]!r}]\n"
        "from errdex.__main__ import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print([name for name in {SLOW!r} if name in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"ERRDEX_DB": str(database)},
        capture_output=True,
        text=True,
    )
    assert run.stderr == "[]\n"
