"""The schema: declared once, versioned, and the same however a database came to be."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from errdex.database import migrations
from errdex.database.connection import open_for_reading
from errdex.database.schema import APPLICATION_ID, RECORD_COLUMNS, SCHEMA_VERSION
from errdex.errors import DatabaseNewer, DatabaseOlder
from errdex.load import ingest
from errdex.records import Record

SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "errdex.db", isolation_level=None)) as connection:
        yield connection


def shape(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Every table and index, but for the list of migrations."""
    return connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE '%sqlite_migrations%'"
        " AND name NOT LIKE 'sqlite_autoindex%' ORDER BY name"
    ).fetchall()


def version(connection: sqlite3.Connection) -> int:
    number: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return number


def test_there_is_a_migration_for_each_version_in_order() -> None:
    names = [step.name for step in migrations.migrations()._migrations]
    assert names == [str(number) for number in range(1, SCHEMA_VERSION + 1)]


def test_migrations_lead_to_the_schema_of_a_new_database(
    empty: sqlite3.Connection, tmp_path: Path
) -> None:
    migrations.migrate(empty, 0)
    ingest([str(SEED)], tmp_path / "new.db")
    with closing(sqlite3.connect(tmp_path / "new.db")) as new:
        assert shape(empty) == shape(new)
        assert version(empty) == version(new) == SCHEMA_VERSION


def test_a_migration_is_applied_once(empty: sqlite3.Connection, tmp_path: Path) -> None:
    migrations.prepare(empty, tmp_path / "errdex.db")
    before = shape(empty)
    migrations.migrate(empty, SCHEMA_VERSION)
    migrations.prepare(empty, tmp_path / "errdex.db")
    assert shape(empty) == before
    applied = empty.execute("SELECT name FROM _sqlite_migrations").fetchall()
    assert applied == [(str(number),) for number in range(1, SCHEMA_VERSION + 1)]


def test_a_new_database_is_marked_as_ours(empty: sqlite3.Connection, tmp_path: Path) -> None:
    migrations.prepare(empty, tmp_path / "errdex.db")
    assert empty.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


@pytest.mark.parametrize("number", [0, SCHEMA_VERSION + 1])
def test_a_database_of_another_version_is_not_read(tmp_path: Path, number: int) -> None:
    path = tmp_path / "errdex.db"
    ingest([str(SEED)], path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {number}")
    with pytest.raises(DatabaseOlder if number < SCHEMA_VERSION else DatabaseNewer):
        open_for_reading(path)


def test_each_field_of_a_record_but_its_tags_has_a_column(empty: sqlite3.Connection) -> None:
    migrations.migrate(empty, 0)
    columns = {name for _, name, *_ in empty.execute("PRAGMA table_info (errors)")}
    assert set(RECORD_COLUMNS) == set(Record.__struct_fields__) - {"tags"}
    assert set(RECORD_COLUMNS) <= columns


@pytest.mark.parametrize("column", ["id", "repo, slug"])
def test_ids_and_slugs_are_unique(empty: sqlite3.Connection, column: str) -> None:
    migrations.migrate(empty, 0)
    unique = [
        ", ".join(name for _, _, name in empty.execute(f"PRAGMA index_info ({index})"))
        for _, index, is_unique, *_ in empty.execute("PRAGMA index_list (errors)")
        if is_unique
    ]
    assert column in unique


@pytest.mark.parametrize(
    "where",
    [
        "id = 'x'",
        "repo = 'x' AND slug = 'y'",
        "error_type = 'x'",
        "error_class = 'x'",
        "error_code = 'x'",
        "severity = 'x'",
        "background_tag = 'x'",
        "number IN (SELECT error FROM error_tags WHERE tag = 'x')",
    ],
)
def test_what_people_filter_by_is_indexed(empty: sqlite3.Connection, where: str) -> None:
    migrations.migrate(empty, 0)
    plan = empty.execute(f"EXPLAIN QUERY PLAN SELECT * FROM errors WHERE {where}").fetchall()
    assert all("SCAN" not in step for *_, step in plan), plan


def test_patterns_that_every_text_is_tried_on_are_found_without_reading_the_others(
    empty: sqlite3.Connection,
) -> None:
    migrations.migrate(empty, 0)
    question = "SELECT pattern FROM patterns WHERE kind = 'U'"
    plan = [step for *_, step in empty.execute(f"EXPLAIN QUERY PLAN {question}")]
    assert len(plan) == 1
    assert "INDEX patterns_unfiled" in plan[0]
