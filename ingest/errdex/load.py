"""One import: lines → entries → the database, in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import msgspec

from errdex.database.connection import check_ours
from errdex.database.schema import (
    APPLICATION_ID,
    FULL_TEXT,
    INDEXES,
    RECORD_COLUMNS,
    SCHEMA_VERSION,
    TABLES,
)
from errdex.decode import Faulty, decode_line
from errdex.match.index import IndexWriter
from errdex.records import Entry
from errdex.sources import Line

_BATCH = 2000
_INSERT = (
    f"INSERT INTO errors ({', '.join(RECORD_COLUMNS)}, dataset_version, pattern)"
    f" VALUES ({', '.join('?' * (len(RECORD_COLUMNS) + 2))}) RETURNING number"
)


@dataclass
class Summary:
    """What one import did."""

    read: int = 0
    loaded: int = 0
    rejected: list[tuple[Line, list[str]]] = field(default_factory=list)


def load(lines: Iterable[Line], path: Path) -> Summary:
    """Load the lines into the database at `path`, which is made where it is missing."""
    summary = Summary()
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        fresh = connection.execute("PRAGMA page_count").fetchone()[0] == 0
        if not fresh:
            check_ours(connection, path)
        connection.execute("PRAGMA synchronous = OFF")
        if fresh:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.executescript(TABLES)
        connection.execute("BEGIN IMMEDIATE")
        writer = IndexWriter(connection)
        stream = iter(lines)
        while batch := list(islice(stream, _BATCH)):
            _load_batch(connection, writer, batch, summary)
        writer.finish()
        if fresh:
            for statement in INDEXES.split(";"):
                connection.execute(statement)
            connection.execute(FULL_TEXT)
        connection.execute("INSERT INTO errors_fts (errors_fts) VALUES ('rebuild')")
        connection.execute("COMMIT")
    finally:
        connection.close()
    return summary


def _load_batch(
    connection: sqlite3.Connection, writer: IndexWriter, batch: list[Line], summary: Summary
) -> None:
    entries: list[Entry] = []
    for line in batch:
        summary.read += 1
        try:
            entries.append(decode_line(line.data))
        except Faulty as faulty:
            summary.rejected.append((line, faulty.faults))
    patterns = writer.add([entry.record.message_pattern for entry in entries])
    connection.executemany(
        "INSERT OR IGNORE INTO repos (repo) VALUES (?)", {(e.record.repo,) for e in entries}
    )
    for entry in entries:
        values = msgspec.structs.asdict(entry.record)
        values["solutions"] = msgspec.json.encode(entry.record.solutions).decode()
        values["prevention_tips"] = msgspec.json.encode(entry.record.prevention_tips).decode()
        (number,) = connection.execute(
            _INSERT,
            [values[column] for column in RECORD_COLUMNS]
            + [entry.dataset_version, patterns[entry.record.message_pattern]],
        ).fetchone()
        connection.executemany(
            "INSERT INTO error_tags (tag, error, position) VALUES (?, ?, ?)",
            [(tag, number, position) for position, tag in enumerate(entry.record.tags)],
        )
    summary.loaded += len(entries)


def now() -> str:
    """The time in UTC, to the second, as records write it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
