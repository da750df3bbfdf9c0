"""`errdex ingest` as a person sees it: what it says, and how it exits."""

from __future__ import annotations

import gzip
import json
import os
import pty
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from errdex.cli import main
from errdex.database.schema import SCHEMA_VERSION

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases" / "records.jsonl"
SEED = json.loads((ROOT / "data" / "seed.jsonl").read_bytes())


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ERRDEX_DB", raising=False)
    return tmp_path


def seed(**fields: object) -> str:
    return json.dumps({**SEED, "record": {**SEED["record"], **fields}}) + "\n"


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def run(*arguments: str, text: str | bytes = "") -> Result:
    return CliRunner().invoke(main, ["ingest", *arguments], input=text)


def test_records_are_loaded_and_counted() -> None:
    result = run(str(CASES))
    assert result.exit_code == 0
    assert result.output == "117 read: 117 added, 0 changed, 0 unchanged, 0 rejected.\n"
    assert Path("errdex.db").is_file()


def test_standard_input_is_loaded() -> None:
    result = run("-", "--db", "x.db", text=gzip.compress(seed().encode()))
    assert result.output == "1 read: 1 added, 0 changed, 0 unchanged, 0 rejected.\n"


def test_a_folder_is_loaded_as_a_whole() -> None:
    Path("data").mkdir()
    Path("data/a.jsonl").write_text(seed())
    Path("data/b.json").write_text(f"[{seed(id='b' * 16, slug='b')}]")
    Path("data/empty.jsonl").touch()
    assert run("data").output == "2 read: 2 added, 0 changed, 0 unchanged, 0 rejected.\n"


def test_faulty_records_are_set_aside_and_the_rest_is_loaded() -> None:
    Path("x.jsonl").write_text(seed() + seed(lineNumber="ten", tags=["A"]) + "nonsense\n")
    result = run("x.jsonl")
    assert result.exit_code == 1
    assert result.stdout == (
        "3 read: 1 added, 0 changed, 0 unchanged, 2 rejected.\n"
        "The rejects, with reasons: errdex.db.rejects.jsonl\n"
    )
    assert result.stderr == (
        'errdex: x.jsonl:2: expected int, got "ten" at $.record.lineNumber; expected lowercase'
        " words joined by '-', at most 100 characters, got \"A\" at $.record.tags[0]\n"
        "errdex: x.jsonl:3: expected JSON, got nonsense at byte 1\n"
    )


def test_only_the_first_of_many_faults_are_shown() -> None:
    Path("x.jsonl").write_text(seed() + "{}\n" * 30)
    result = run("x.jsonl", "--rejects", "bad.jsonl")
    assert result.stderr.count("\n") == 11
    assert result.stderr.endswith("errdex: and 20 more, in bad.jsonl\n")
    assert len(Path("bad.jsonl").read_text().splitlines()) == 30


def test_strict_stops_at_the_first_fault_and_loads_nothing() -> None:
    Path("x.jsonl").write_text(seed() + "{}\n" + "nonsense\n")
    result = run("x.jsonl", "--strict")
    assert result.exit_code == 1
    assert result.stderr.startswith(
        "errdex: x.jsonl:2: expected 16 lowercase hex digits, got nothing at $.id; "
    )
    assert result.stderr.endswith(
        "; nothing was loaded, since --strict stops at the first faulty record."
        " [errdex explain ED109]\n"
    )
    assert names() == ["errdex.db.rejects.jsonl", "x.jsonl"]


def test_a_dry_run_says_what_would_change() -> None:
    Path("x.jsonl").write_text(seed())
    assert run("x.jsonl", "--dry-run").output == (
        "1 read: 1 added, 0 changed, 0 unchanged, 0 rejected.\n"
        "This was a dry run: nothing was written.\n"
    )
    assert names() == ["x.jsonl"]


def test_what_was_resolved_by_a_rule_is_told() -> None:
    Path("x.jsonl").write_text(seed(foo=1) + seed(id="b" * 16, repo=SEED["record"]["repo"].upper()))
    slug = SEED["record"]["slug"]
    assert run("x.jsonl").output == (
        "2 read: 2 added, 0 changed, 0 unchanged, 0 rejected.\n"
        "Unknown fields, kept as they are: foo.\n"
        "2 resolved by rule:\n"
        "  x.jsonl:2: repo SGL-PROJECT/SGLANG is filed as sgl-project/sglang, as before\n"
        f"  x.jsonl:2: slug {slug} stays with {SEED['record']['id']}; {'b' * 16} is filed as"
        f" {slug}-bbbbbbbb\n"
    )


def test_what_a_complete_source_has_no_more_is_told() -> None:
    Path("x.jsonl").write_text(seed() + seed(id="b" * 16, slug="b"))
    Path("y.jsonl").write_text(seed())
    run("x.jsonl")
    assert run("y.jsonl", "--complete").output == (
        "1 read: 0 added, 0 changed, 1 unchanged, 0 rejected.\n"
        "1 retired: their repo's newest analysis has them no more.\n"
    )


# -- input that is refused ----------------------------------------------------------------


def foreign_database() -> None:
    with closing(sqlite3.connect("errdex.db")) as connection:
        connection.execute("CREATE TABLE x (y)")


def newer_database() -> None:
    run(str(CASES))
    with closing(sqlite3.connect("errdex.db")) as connection:
        connection.execute("PRAGMA user_version = 99")


REFUSED: dict[str, tuple[Callable[[], object], list[str], str]] = {
    "a file that is missing": (
        lambda: None,
        ["none.jsonl"],
        "none.jsonl does not exist; name a file of records that does. [errdex explain ED101]",
    ),
    "a folder without records": (
        lambda: Path("data").mkdir(),
        ["data"],
        "data holds no files of records; put .jsonl or .json files in it (or .gz, .zst, .bz2,"
        " .xz of them). [errdex explain ED107]",
    ),
    "an empty file": (
        lambda: Path("x.jsonl").touch(),
        ["x.jsonl"],
        "x.jsonl holds no records; give a file with one JSON record a line. [errdex explain ED103]",
    ),
    "empty standard input": (
        lambda: None,
        ["-"],
        "standard input holds no records; give a file with one JSON record a line."
        " [errdex explain ED103]",
    ),
    "a file that is not JSON": (
        lambda: Path("x.txt").write_text("hello\nworld\n"),
        ["x.txt"],
        "none of the 2 records in x.txt is well-formed, so no database was made (first:"
        " x.txt:1: expected JSON, got hello at byte 1); mend them in errdex.db.rejects.jsonl and"
        " ingest that. [errdex explain ED108]",
    ),
    "a wrong field": (
        lambda: Path("x.jsonl").write_text(seed(lineNumber="ten")),
        ["x.jsonl"],
        "none of the 1 records in x.jsonl is well-formed, so no database was made (first:"
        ' x.jsonl:1: expected int, got "ten" at $.record.lineNumber); mend them in'
        " errdex.db.rejects.jsonl and ingest that. [errdex explain ED108]",
    ),
    "a picture": (
        lambda: Path("x.png").write_bytes(b"\x89PNG\r\n\x1a\n"),
        ["x.png"],
        "x.png is a picture, not records; give JSON Lines or JSON in UTF-8, plain or packed with"
        " gzip, zstd, bzip2 or xz. [errdex explain ED106]",
    ),
    "a truncated gzip file": (
        lambda: Path("x.gz").write_bytes(gzip.compress(seed().encode() * 50)[:-20]),
        ["x.gz"],
        "x.gz breaks off or is damaged after line 16 (Compressed file ended before the"
        " end-of-stream marker was reached); nothing of it was loaded: fetch it again."
        " [errdex explain ED104]",
    ),
    "a database of another program": (
        foreign_database,
        [str(CASES)],
        "errdex.db is not an errdex database (another program made it); name another with --db."
        " [errdex explain ED202]",
    ),
    "a database that is none": (
        lambda: Path("errdex.db").write_text("hello " * 1000),
        [str(CASES)],
        "errdex.db is not an errdex database (file is not a database); name another with --db."
        " [errdex explain ED202]",
    ),
    "a database that is a folder": (
        lambda: Path("errdex.db").mkdir(),
        [str(CASES)],
        "errdex.db is not an errdex database (it is a folder); name another with --db."
        " [errdex explain ED202]",
    ),
    "a database of a newer version": (
        newer_database,
        [str(CASES)],
        f"errdex.db has schema version 99, and this errdex knows {SCHEMA_VERSION}; upgrade errdex"
        " or ingest into a new file. [errdex explain ED203]",
    ),
    "a rejects file that cannot be written": (
        lambda: Path("x.jsonl").write_text(seed() + "{}\n"),
        ["x.jsonl", "--rejects", "none/bad.jsonl"],
        "rejects file none/bad.jsonl cannot be written (No such file or directory); give another"
        " with --rejects. [errdex explain ED105]",
    ),
    "a rejects file that is the database": (
        lambda: run(str(CASES)),
        [str(CASES), "--rejects", "errdex.db"],
        "rejects file errdex.db cannot be written (it is the database); give another with"
        " --rejects. [errdex explain ED105]",
    ),
    "a rejects file that is a source": (
        lambda: Path("x.jsonl").write_text(seed() + "{}\n"),
        ["x.jsonl", "--rejects", "./x.jsonl"],
        "rejects file x.jsonl cannot be written (it is one of the sources); give another with"
        " --rejects. [errdex explain ED105]",
    ),
    "a device that never ends": (
        lambda: None,
        ["/dev/zero"],
        "/dev/zero is a device, not records; give JSON Lines or JSON in UTF-8, plain or packed"
        " with gzip, zstd, bzip2 or xz. [errdex explain ED106]",
    ),
    "a link to itself": (
        lambda: Path("x.jsonl").symlink_to("x.jsonl"),
        ["x.jsonl"],
        "x.jsonl cannot be read (Too many levels of symbolic links); check the file and its"
        " permissions. [errdex explain ED102]",
    ),
    "a name that no file can have": (
        lambda: None,
        ["x" * 300],
        f"{'x' * 300} cannot be read (File name too long); check the file and its permissions."
        " [errdex explain ED102]",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_with_one_sentence(case: str, here: Path) -> None:
    prepare, arguments, sentence = REFUSED[case]
    prepare()
    before = {path: path.read_bytes() for path in here.iterdir() if path.is_file()}
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stderr.replace(f"{here}/", "") == f"errdex: {sentence}\n"
    assert result.stdout == ""
    assert all(path.read_bytes() == data for path, data in before.items())
    assert not list(here.glob(".errdex*"))


def test_without_a_source_it_says_how_it_is_used() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Missing argument 'SOURCE…'" in result.output


# -- on a terminal ------------------------------------------------------------------------


def on_a_terminal(*arguments: str) -> str:
    """What the command writes to a terminal that is its standard error."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "errdex", "ingest", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    seen = b""
    try:
        while data := os.read(ours, 4096):
            seen += data
    except OSError:
        pass  # the other side is closed
    os.close(ours)
    assert process.wait() == 0
    return seen.decode()


def test_progress_is_shown_on_a_terminal_for_large_files_only() -> None:
    Path("small.jsonl").write_text(seed())
    assert on_a_terminal("small.jsonl") == ""
    with Path("large.jsonl").open("w") as file:
        for number in range(3000):
            file.write(seed(id=f"{number:016x}", slug=f"s{number}"))
    assert "Reading" in on_a_terminal("large.jsonl", "--db", "large.db")


def test_a_file_whose_name_is_not_utf_8_is_loaded_under_a_name_that_is() -> None:
    name = os.fsdecode(b"a\xff.jsonl")
    Path(name).write_text(seed())
    assert run(name).output == "1 read: 1 added, 0 changed, 0 unchanged, 0 rejected.\n"
    with closing(sqlite3.connect("errdex.db")) as connection:
        assert connection.execute("SELECT name FROM sources").fetchall() == [("a\\xff.jsonl",)]
    assert run(name).output == "1 read: 0 added, 0 changed, 1 unchanged, 0 rejected.\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("name", ["outer", "outer/inner", "outer/inner/x.jsonl"])
@pytest.mark.parametrize("command", ["ingest", "check"])
def test_a_folder_that_may_not_be_looked_into_is_told(
    name: str, command: str, tmp_path_factory: pytest.TempPathFactory, here: Path
) -> None:
    Path("outer/inner").mkdir(parents=True)
    Path("outer/inner/x.jsonl").write_text(seed())
    Path("outer/y.jsonl").write_text(seed())
    Path("outer/inner").chmod(0)
    for folder in here.parents:
        if folder.is_relative_to(tmp_path_factory.getbasetemp().parent):
            folder.chmod(0o755)
    here.chmod(0o777)
    os.seteuid(65534)
    try:
        result = CliRunner().invoke(main, [command, name])
    finally:
        os.seteuid(0)
    told = "outer/inner" if name == "outer" else name
    assert result.exit_code == 1
    assert result.stderr == (
        f"errdex: {told} cannot be read (Permission denied); check the file and its permissions."
        " [errdex explain ED102]\n"
    )
