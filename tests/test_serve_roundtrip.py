"""What one errdex serves, another can load: `errdex ingest http://…/data/manifest.json`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from click.testing import CliRunner

from errdex.cli import main
from errdex.database.connection import open_for_reading
from errdex.database.queries import entries
from errdex.encode import record_fields


def ingest(source: str, database: Path) -> str:
    result = CliRunner().invoke(main, ["ingest", source, "--db", str(database)])
    assert result.exit_code == 0, result.output
    return result.output


def records(database: Path) -> list[dict[str, object]]:
    connection = open_for_reading(database)
    found = [record_fields(entry) for entry in entries(connection)]
    connection.close()
    return found


def test_a_served_dataset_makes_an_equal_database(
    case_database: Path, tmp_path: Path, serving: Callable[[Path], AbstractContextManager[str]]
) -> None:
    copy = tmp_path / "copy.db"
    with serving(case_database) as address:
        ingest(f"{address}data/manifest.json", copy)
        assert records(copy) == records(case_database)
        again = ingest(f"{address}data/manifest.json", copy)
    assert " 0 added, 0 changed" in again
