"""Errors that are raised while others are handled: told by the snippet, shown on the page."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from errdex.database.connection import open_for_reading
from errdex.load import Options, ingest
from errdex_site.pages import Site
from errdex_site.wrapping import caught
from tests.made_records import pattern_of

FIRST = Path(__file__).parent / "cases" / "records.jsonl"
PYTHON = """\
try:
    go()
except (KeyError, db.LockError) as error:
    if deep:
        # a comment

        raise Wrapped("it is locked") from error
raise Late
"""
JAVA = """\
    try {
        go();
    } catch (final LockException | io.ReadException e) {
        throw new Wrapped(e);
    }
"""
RUBY = """\
  rescue LockError, Other => e
    raise Wrapped
"""


@pytest.mark.parametrize(
    ("code", "line", "classes"),
    [
        (PYTHON, 16, ("KeyError", "LockError")),
        (PYTHON, 17, ()),
        (PYTHON, 11, ()),
        (JAVA, 13, ("LockException", "ReadException")),
        (RUBY, 11, ("LockError", "Other")),
        ("except Exception:\n    raise X", 11, ()),
        ("except:\n    raise X", 11, ()),
        ("except A:\n    pass\nraise X", 12, ()),
        ("raise X", 10, ()),
        ("except A:\n    raise X", 99, ()),
        ("except" + " (" * 20_000 + "\n" + " " * 90_000 + "raise", 11, ()),
    ],
)
def test_what_is_caught_is_told_by_the_handler_above_and_outside(
    code: str, line: int, classes: tuple[str, ...]
) -> None:
    assert caught(code, 10, line) == classes


def test_without_a_snippet_nothing_is_caught() -> None:
    assert caught(None, 1, 1) == caught(PYTHON, None, 5) == caught(PYTHON, 1, None) == ()


def test_a_page_names_what_its_error_is_raised_in_place_of(tmp_path: Path) -> None:
    envelope = json.loads(FIRST.read_text(encoding="utf-8").splitlines()[0])
    place = {"sourceCode": PYTHON, "sourceCodeStart": 10, "sourceCodeEnd": 17, "lineNumber": 16}
    changes: list[dict[str, object]] = [
        {"errorClass": "Wrapped", "errorMessage": "Not done", **place},
        {"errorClass": "db.LockError", "errorMessage": "The lock is held"},
        {"errorClass": "LockErrorToo", "errorMessage": "Another lock"},
        {"errorClass": "LockError", "errorMessage": "A lock elsewhere", "repo": "other/repo"},
    ]
    records = []
    for number, change in enumerate(changes):
        pattern = pattern_of(str(change["errorMessage"]))
        own = {"id": f"{number:016x}", "slug": f"made-{number}", "messagePattern": pattern}
        records.append(envelope["record"] | own | {"githubUrl": None} | change)
    lines = tmp_path / "records.jsonl"
    lines.write_text("".join(json.dumps({"record": record}) + "\n" for record in records))
    ingest([str(lines)], tmp_path / "errdex.db", Options())
    with closing(open_for_reading(tmp_path / "errdex.db")) as connection:
        path = f"/{records[0]['repo']}/{records[0]['slug']}/"
        html = str(Site(connection).page(path).body)
    _, _, section = html.partition("<h3>Raised in place of these, which are caught here</h3>")
    rows = section.partition("</ul>")[0]
    assert "The lock is held" in rows
    assert "Another lock" not in rows
    assert "elsewhere" not in rows
