"""What a person named → all that is to be imported, fetched and at hand."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from errdex.database.connection import open_for_reading
from errdex.database.writing import source_state
from errdex.errors import DatabaseMissing, DatabaseOlder
from errdex.sources import Feed, Progress, feeds_of
from errdex.sources.dataset import Known, fetch, is_address, is_dataset_folder, open_folder
from errdex.sources.manifest import RepoFacts


class Intent(NamedTuple):
    """Feeds in the order in which they were named, and what is known of repos."""

    feeds: list[Feed]
    repos: list[RepoFacts]


@contextmanager
def at_hand(
    names: Sequence[str], database: Path, progress: Progress | None, *, force: bool
) -> Iterator[Intent]:
    """Everything that the names stand for. What was fetched is kept if the import fails, so
    that the next one need not fetch it again. For errors, see `errdex.sources`."""
    intent = Intent([], [])
    fetched = database.with_name(f".{database.name}.download")
    for name in names:
        if is_address(name):
            with _known(database, force=force) as known:
                dataset = fetch(name, fetched, known, progress)
        elif is_dataset_folder(Path(name)):
            dataset = open_folder(Path(name), progress)
        else:
            intent.feeds.extend(feeds_of([name], progress))
            continue
        intent.feeds.extend(dataset.feeds)
        intent.repos.extend(dataset.repos)
    yield intent
    shutil.rmtree(fetched, ignore_errors=True)


class _Known:
    """Asks a database what it holds of a source; nothing if there is no database."""

    def __init__(self, connection: sqlite3.Connection | None) -> None:
        self._connection = connection

    def __call__(self, name: str) -> Known | None:
        if self._connection is None:
            return None
        state = source_state(self._connection, name)
        return Known(state.digest, state.etag) if state and not state.rejected else None


@contextmanager
def _known(database: Path, *, force: bool) -> Iterator[_Known]:
    if force or not database.exists() or not database.stat().st_size:
        yield _Known(None)
        return
    try:
        connection = open_for_reading(database)
    except (DatabaseMissing, DatabaseOlder):
        yield _Known(None)
        return
    with closing(connection):
        yield _Known(connection)
