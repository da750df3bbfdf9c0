"""The Python API: `errdex.open`, its names, and threads."""

from __future__ import annotations

import inspect
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import errdex
from errdex.errors import DatabaseMissing, KnowledgeBaseClosed
from errdex.load import load
from errdex.sources import read_lines

CASES = Path(__file__).parent / "cases"
TEXT = "WorkerExit: worker exited with code 3"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("api") / "errdex.db"
    load(read_lines(str(CASES / "records.jsonl")), path)
    return path


def test_the_public_names_are_these() -> None:
    assert errdex.__all__ == [
        "Answer",
        "Entry",
        "ErrdexError",
        "KnowledgeBase",
        "Match",
        "Record",
        "Span",
        "__version__",
        "open",
    ]


@pytest.mark.parametrize("name", errdex.__all__)
def test_every_public_name_is_there_and_says_what_it_is(name: str) -> None:
    value = getattr(errdex, name)
    assert isinstance(value, str) or inspect.getdoc(value)
    assert name in dir(errdex)


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'errdex' has no attribute 'nothing'"):
        errdex.nothing  # noqa: B018  # the look-up is what is tested


def test_importing_errdex_imports_nothing_else_of_it() -> None:
    program = "import sys, errdex; print([m for m in sys.modules if m.startswith('errdex')])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout == "['errdex']\n"


@pytest.mark.parametrize("kind", [str, Path])
def test_a_text_is_matched(database: Path, kind: type[str] | type[Path]) -> None:
    with errdex.open(kind(database)) as known:
        answer = known.match(TEXT)
    assert isinstance(answer, errdex.Answer)
    best = answer.claimed[0]
    assert isinstance(best, errdex.Match)
    assert (best.id, best.values) == ("c9921748ea519e17", {"code": "3"})


def test_only_what_is_asked_for_is_found(database: Path) -> None:
    with errdex.open(database) as known:
        assert known.match(TEXT, repo="acme/flowline", limit=1).claimed
        assert not known.match(TEXT, repo="python/cpython").claimed
        assert not known.match(TEXT, tags=["no-such-tag"]).matches


def test_a_record_is_found_by_its_names(database: Path) -> None:
    with errdex.open(database) as known:
        entry = known.entry("c9921748ea519e17")
        assert entry is not None
        assert isinstance(entry.record, errdex.Record)
        assert known.entry(entry.path) == entry
        assert known.entry("0" * 16) is None


def test_a_file_that_is_not_there_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(DatabaseMissing) as caught:
        errdex.open(tmp_path / "no.db")
    assert isinstance(caught.value, errdex.ErrdexError)


def test_it_may_be_closed_twice_and_not_used_again(database: Path) -> None:
    known = errdex.open(database)
    known.close()
    known.close()
    with pytest.raises(KnowledgeBaseClosed, match=r"was closed; open it again with errdex\.open"):
        known.match(TEXT)


def test_threads_share_it(database: Path) -> None:
    found: list[str] = []
    start = threading.Barrier(8)

    def ask() -> None:
        start.wait()
        found.extend(known.match(TEXT).matches[0].id for _ in range(20))

    with errdex.open(database) as known:
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == ["c9921748ea519e17"] * 160
