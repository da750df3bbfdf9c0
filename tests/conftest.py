"""What several test files share: the cases of tests/cases, in a database made by a real import."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings

from errdex.database.connection import open_for_reading
from errdex.load import load
from errdex.match.engine import Matcher
from errdex.sources import read_lines

settings.register_profile("errdex", deadline=None)  # timing lives in bench/
settings.load_profile("errdex")

CASES = Path(__file__).parent / "cases"


@pytest.fixture(scope="session")
def case_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of tests/cases/records.jsonl."""
    path = tmp_path_factory.mktemp("cases") / "errdex.db"
    load(read_lines(str(CASES / "records.jsonl")), path)
    return path


@pytest.fixture(scope="session")
def case_matcher(case_database: Path) -> Iterator[Matcher]:
    """A matcher over the records of the cases."""
    with closing(open_for_reading(case_database)) as connection:
        yield Matcher(connection)


@pytest.fixture
def needs_node() -> None:
    """Skip the test where Node is missing."""
    if shutil.which("node") is None:
        pytest.skip("Node is missing here")
