"""`errdex check`: what is wrong with records that load, and with those that do not."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from errdex.check import KINDS, Checker, Finding
from errdex.cli import main
from errdex.load import ingest
from errdex.sources import Line, read_lines

ROOT = Path(__file__).parent.parent
SEED = json.loads((ROOT / "data" / "seed.jsonl").read_bytes())
ID = SEED["record"]["id"]


def line(number: int = 1, **fields: object) -> Line:
    value = {**SEED, "record": {**SEED["record"], **fields}}
    return Line("x.jsonl", number, json.dumps(value).encode())


def findings(*lines: Line) -> list[tuple[str, str]]:
    return [(finding.kind, finding.message) for finding in Checker().lines(lines)]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


CASES: dict[str, tuple[dict[str, object], list[tuple[str, str]]]] = {
    "a wrong type": (
        {"lineNumber": "ten"},
        [("fault", 'expected int, got "ten" at $.record.lineNumber')],
    ),
    "a pattern that does not compile": (
        {"messagePattern": "a(b"},
        [
            (
                "pattern-broken",
                "messagePattern does not compile: missing ), unterminated subpattern at position 1",
            )
        ],
    ),
    "a look-ahead": (
        {"messagePattern": "LoRA (?=with)(.+?)"},
        [("pattern-refused", "RE2 refuses messagePattern: invalid perl operator: (?=")],
    ),
    "a back-reference": (
        {"messagePattern": r"(LoRA) \1"},
        [("pattern-refused", r"RE2 refuses messagePattern: invalid escape sequence: \1")],
    ),
    "a pattern of another message": (
        {"messagePattern": "Something else (.+?) here"},
        [("pattern-misses", "messagePattern does not match its own errorMessage, rendered")],
    ),
    "a pattern of anything": (
        {"messagePattern": "(.+?)"},
        [("pattern-wide", "messagePattern matches an unrelated text, 'Zzyzx 7 qk'")],
    ),
    "a pattern of next to nothing": (
        {"errorMessage": "{path}: {reason}", "messagePattern": "(.+?): (.+?)"},
        [
            (
                "pattern-wide",
                "messagePattern says too little to be an answer, 0.3 bits of at least 4",
            )
        ],
    ),
    "a snippet without its line": (
        {"lineNumber": 10790, "sourceCodeStart": 10713},
        [
            (
                "snippet-without-line",
                "sourceCode holds lines 10713 to 10749, and lineNumber is 10790",
            )
        ],
    ),
    "an address of a branch": (
        {"githubUrl": "https://github.com/a/b/blob/main/x.py"},
        [("address-not-pinned", "githubUrl does not hold analyzedSha")],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_is_found(case: str) -> None:
    fields, found = CASES[case]
    assert findings(line(**fields)) == found


def test_collisions_are_found() -> None:
    slug = f"{SEED['record']['repo']}/{SEED['record']['slug']}"
    found = findings(line(1), line(2), line(3, id="b" * 16))
    assert found == [
        ("id-twice", f"id {ID} is that of x.jsonl:1 too"),
        ("slug-twice", f"slug {slug} is that of x.jsonl:1 too"),
    ]


def test_a_sound_record_has_no_findings() -> None:
    assert findings(line()) == []


def test_every_kind_is_found_by_some_case() -> None:
    found = {kind for _, kinds in CASES.values() for kind, _ in kinds}
    assert found | {"id-twice", "slug-twice"} == set(KINDS)


@pytest.mark.parametrize("source", ["data", "tests/cases/records.jsonl"])
def test_shipped_records_break_no_rule(source: str) -> None:
    result = run(str(ROOT / source), "--json")
    assert "fault" not in json.loads(result.output)["counts"]


def test_findings_are_listed_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(line(lineNumber="ten").data + b"\n" + line().data)
    result = run(str(path))
    assert result.exit_code == 1
    assert result.output == (
        f'{path}:1: fault: expected int, got "ten" at $.record.lineNumber\n'
        "2 checked, 1 found.\n"
        "       1 fault: the record breaks a rule and is not loaded\n"
    )


def test_findings_as_json(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(line(githubUrl="https://x/").data)
    result = run(str(path), "--json")
    assert result.exit_code == 1
    assert json.loads(result.output) == {
        "checked": 1,
        "counts": {"address-not-pinned": 1},
        "findings": [
            {
                "place": f"{path}:1",
                "id": ID,
                "kind": "address-not-pinned",
                "message": "githubUrl does not hold analyzedSha",
            }
        ],
    }


def test_a_database_is_checked_and_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "errdex.db"
    ingest([str(ROOT / "data" / "seed.jsonl")], path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    before = path.read_bytes()
    result = run("--db", str(path))
    assert (result.exit_code, result.output) == (0, "1 checked, nothing found.\n")
    assert path.read_bytes() == before


def test_a_dataset_is_checked_by_its_manifest(tmp_path: Path) -> None:
    data = line().data + b"\n"
    repos = {"repo": "owner/name", "errorCount": 1}
    (tmp_path / "repos" / "owner").mkdir(parents=True)
    (tmp_path / "repos" / "owner" / "name.json").write_bytes(b"[" + data + b"]")
    (tmp_path / "repos.json").write_text(json.dumps([repos]))
    manifest = {"schemaVersion": 2, "datasetVersion": "1", "files": {}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    result = run(str(tmp_path))
    assert (result.exit_code, result.output) == (0, "1 checked, nothing found.\n")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.touch()
    result = run(str(path))
    assert result.exit_code == 1
    assert result.stderr == (
        f"errdex: {path} holds no records; give a file with one JSON record a line."
        " [errdex explain ED103]\n"
    )


def test_a_missing_database_is_refused(tmp_path: Path) -> None:
    result = run("--db", str(tmp_path / "none.db"))
    assert result.exit_code == 1
    assert "does not exist; make it with `errdex ingest SOURCE --db" in result.stderr


def test_a_hostile_message_reaches_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(line(messagePattern="(?=\u202e\x9b)").data)
    assert "\x9b" not in run(str(path)).output


def test_the_records_of_the_cases_are_all_looked_at() -> None:
    checker = Checker()
    found: list[Finding] = list(checker.lines(read_lines(str(ROOT / "tests/cases/records.jsonl"))))
    assert checker.checked == 117
    assert not [finding for finding in found if finding.kind in ("fault", "slug-twice")]
