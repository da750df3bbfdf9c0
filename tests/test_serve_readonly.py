"""A database that the reader may not write beside: a mounted image, another user's file."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from errdex.cli import main
from errdex.database.connection import open_for_reading
from errdex.errors import DatabaseUnreadable

SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
NOBODY = 65534


@contextmanager
def without_rights() -> Iterator[None]:
    """As a user who owns nothing. Root may write everywhere, so root becomes nobody."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def database() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are closed to other users
    path = folder / "errdex.db"
    assert CliRunner().invoke(main, ["ingest", str(SEED), "--db", str(path)]).exit_code == 0
    path.chmod(0o444)
    folder.chmod(0o555)
    yield path
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_file_in_a_folder_that_cannot_be_written_is_read(database: Path) -> None:
    with without_rights():
        connection = open_for_reading(database)
        count = connection.execute("SELECT count(*) FROM errors").fetchone()
        connection.close()
    assert count == (1,)


def test_a_file_that_cannot_be_read_is_refused(database: Path) -> None:
    database.chmod(0)
    with without_rights(), pytest.raises(DatabaseUnreadable):
        open_for_reading(database)
