"""Patterns that no key leads to, in the files that the browser fetches for a text."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from errdex.database.connection import open_for_reading
from errdex.load import Options, ingest
from errdex_site.shards import ROOT, Shards
from tests.test_browser_match import CASES, node, python_answers

COUNT = 60


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of patterns of a single word between two values, and the index of it."""
    folder = tmp_path_factory.mktemp("loose")
    record = json.loads((CASES / "records.jsonl").read_text(encoding="utf-8").splitlines()[0])
    lines = []
    for number in range(COUNT):
        word = f"unreachable{number:02}" if number % 20 else f"gone{number:02}"
        changed = {
            "id": f"{number:016x}",
            "slug": f"s{number}",
            "errorMessage": f"{{name}}{word}{{place}}",
            "messagePattern": f"(.+?){word}(.+?)",
        }
        lines.append(json.dumps({"record": record["record"] | changed}))
    (folder / "loose.jsonl").write_text("\n".join(lines))
    ingest([str(folder / "loose.jsonl")], folder / "errdex.db", Options())
    with closing(open_for_reading(folder / "errdex.db")) as connection:
        shards = Shards(connection)
        for path in shards.paths():
            file = folder / path[1:]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(shards.file(path) or b"")
    return folder


def test_only_patterns_of_a_short_word_stand_in_the_root(index: Path) -> None:
    root = json.loads((index / ROOT[1:]).read_text())
    assert [source for source in root["sources"] if "gone" not in source] == []
    assert len(root["sources"]) == COUNT // 20
    files = [json.loads(file.read_text()) for file in (index / "match/index/s").iterdir()]
    assert sum(len(file["sources"]) for file in files) == COUNT - COUNT // 20


@pytest.mark.usefixtures("needs_node")
def test_each_of_them_is_found_as_by_python(index: Path) -> None:
    texts = [
        "the host isunreachable07 from here",
        "HOST UNREACHABLE07 FROM HERE",
        "a gone40 b",
        "ünreachable unreachable59é, and\nxunreachable31 in another line",
        "unreachable",
    ]
    ours = node("answers.mjs", texts, str(index))
    theirs = python_answers(index / "errdex.db", texts)
    assert [one["matches"] for one in ours] == [one["matches"] for one in theirs]
    found = [{match["id"][-2:] for match in one["matches"]} for one in ours]
    assert found == [{"07"}, set(), {"28"}, {"3b", "1f"}, set()]
