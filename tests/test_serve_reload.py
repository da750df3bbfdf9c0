"""The live service while imports land: always one whole state, and soon the new one."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner
from datasette.app import Datasette

from datasette_errdex.configured import datasette_for
from datasette_errdex.options import Options
from datasette_errdex.readers import Reader, Readers
from errdex.cli import main
from errdex.errors import ServiceBusy

SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
CASES = Path(__file__).parent / "cases" / "records.jsonl"

pytestmark = pytest.mark.asyncio


def ingest(database: Path, source: Path) -> None:
    result = CliRunner().invoke(main, ["ingest", str(source), "--db", str(database)])
    assert result.exit_code == 0, result.output


async def repos(service: Datasette) -> int:
    """How many repos the service knows, by its API."""
    response = await service.client.get("/api/repos")
    return len(response.json()["repos"])


async def rows(service: Datasette) -> int:
    """How many rows Datasette's own page of the table shows."""
    response = await service.client.get("/db/repos.json?_shape=array&_size=100")
    return len(response.json())


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "errdex.db"
    ingest(path, SEED)
    return path


async def test_an_import_into_the_served_file_is_shown_at_once(database: Path) -> None:
    service = datasette_for(Options(database))
    assert (await repos(service), await rows(service)) == (1, 1)
    ingest(database, CASES)
    after = await repos(service)
    assert after > 5
    assert await rows(service) == after


async def test_a_file_put_in_its_place_is_shown_at_once(database: Path, tmp_path: Path) -> None:
    service = datasette_for(Options(database))
    assert (await repos(service), await rows(service)) == (1, 1)
    ingest(tmp_path / "new.db", CASES)
    (tmp_path / "new.db").replace(database)
    after = await repos(service)
    assert after > 5
    assert await rows(service) == after


async def test_a_page_that_was_kept_is_made_anew_after_an_import(database: Path) -> None:
    service = datasette_for(Options(database))
    before = await service.client.get("/repos/")
    assert (await service.client.get("/repos/")).content == before.content
    ingest(database, CASES)
    assert (await service.client.get("/repos/")).headers["etag"] != before.headers["etag"]


async def test_an_import_that_is_not_committed_is_not_seen(database: Path) -> None:
    service = datasette_for(Options(database))
    writer = sqlite3.connect(database, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO repos (repo) VALUES ('a/b')")
    writer.execute("DELETE FROM errors")
    assert (await repos(service), await rows(service)) == (1, 1)
    writer.execute("COMMIT")
    assert (await repos(service), await rows(service)) == (0, 2)
    writer.close()


async def test_one_answer_is_read_from_one_state(database: Path) -> None:
    """An import that is committed in the middle of an answer does not show in it."""
    writer = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
    writer.execute("PRAGMA journal_mode = WAL")

    def count(reader: Reader) -> int:
        found: int = reader.connection.execute("SELECT count(*) FROM errors").fetchone()[0]
        return found

    def question(reader: Reader) -> tuple[int, int]:
        before = count(reader)
        writer.execute("DELETE FROM errors")
        return before, count(reader)

    readers = Readers(database)
    assert await readers.ask(question) == (1, 1)
    assert await readers.ask(count) == 0
    readers.close()
    writer.close()


async def test_a_file_that_is_not_ours_does_not_replace_a_good_one(
    database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    readers = Readers(database)
    assert await readers.ask(lambda reader: reader.site.page("/").status) == 200
    os.unlink(database)  # noqa: PTH108  # the inode must go, not only its content
    database.write_text("half a file")
    assert await readers.ask(lambda reader: reader.site.page("/").status) == 200
    assert "the last good state is still served" in caplog.text
    readers.close()


async def test_a_file_that_is_gone_is_served_on_until_the_next_comes(
    database: Path, tmp_path: Path
) -> None:
    service = datasette_for(Options(database))
    assert await repos(service) == 1
    shutil.move(database, tmp_path / "away.db")
    assert await repos(service) == 1
    ingest(database, CASES)
    assert await repos(service) > 5


async def test_a_long_question_never_stands_before_a_short_one(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasette_errdex.readers._MOST_WAITING", 3)
    readers, end = Readers(database), threading.Event()
    long = [
        asyncio.ensure_future(readers.ask(lambda _reader: end.wait(30), "long")) for _ in range(3)
    ]
    await asyncio.sleep(0)
    assert await readers.ask(lambda _reader: "at once") == "at once"
    with pytest.raises(ServiceBusy) as refused:
        await readers.ask(lambda _reader: None, "long")
    assert str(refused.value) == (
        "3 long texts are being matched already; try again in 30 seconds."
    )
    end.set()
    assert await asyncio.gather(*long) == [True, True, True]
    assert await readers.ask(lambda _reader: "again", "long") == "again"
    readers.close()


async def test_of_a_large_question_nothing_is_kept_and_nothing_forgotten(database: Path) -> None:
    readers, seen = Readers(database), []
    kept = await readers.ask(lambda reader: reader.page("/repos/"))

    def question(reader: Reader) -> str:
        seen.append(reader)
        return reader.site.page("/repos/").content_type

    assert await readers.ask(question, "long and large") == "text/html; charset=utf-8"
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        seen[0].connection.execute("SELECT 1")
    assert await readers.ask(lambda reader: reader.page("/repos/")) is kept
    readers.close()


async def test_a_large_question_too_is_answered_from_the_last_good_state(database: Path) -> None:
    readers = Readers(database)
    assert await readers.ask(lambda reader: reader.site.page("/").status) == 200
    os.unlink(database)  # noqa: PTH108  # the inode must go, not only its content
    database.write_text("half a file")
    status = await readers.ask(lambda reader: reader.site.page("/").status, "long and large")
    assert status == 200
    readers.close()
