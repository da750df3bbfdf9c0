"""What is asked of the database, apart from matching: entries and lists of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from errdex.database.schema import RECORD_COLUMNS
from errdex.records import Entry, Record

_COLUMNS = ", ".join(f"errors.{column}" for column in RECORD_COLUMNS)
_TAGS = (
    "(SELECT json_group_array(tag) FROM"
    " (SELECT tag FROM error_tags WHERE error = errors.number ORDER BY position))"
)
_ENTRY = f"SELECT {_COLUMNS}, {_TAGS}, dataset_version, extra, retired_at, number FROM errors"
_LISTED = ("solutions", "prevention_tips")


class Count(NamedTuple):
    """A name that people browse by, and how many errors stand under it."""

    name: str
    errors: int


class Heading(NamedTuple):
    """What a list shows of an error."""

    id: str
    repo: str
    slug: str
    error_class: str | None
    error_code: str | None
    error_message: str
    severity: str
    retired_at: str | None


def _entry(row: tuple[object, ...]) -> Entry:
    fields: dict[str, object] = dict(zip(RECORD_COLUMNS, row, strict=False))
    tags, dataset_version, extra, retired_at, _number = row[len(RECORD_COLUMNS) :]
    for name in _LISTED:
        fields[name] = msgspec.json.decode(str(fields[name]))
    fields["tags"] = msgspec.json.decode(str(tags))
    return Entry(
        record=Record(**fields),  # type: ignore[arg-type]  # the importer checked them
        dataset_version=dataset_version,  # type: ignore[arg-type]
        extra=msgspec.json.decode(str(extra)) if extra else {},
        retired_at=retired_at,  # type: ignore[arg-type]
    )


def entry_by_id(connection: sqlite3.Connection, record_id: str) -> Entry | None:
    """The entry with this id, or None."""
    row = connection.execute(f"{_ENTRY} WHERE id = ?", (record_id,)).fetchone()
    return _entry(row) if row else None


def entry_by_slug(connection: sqlite3.Connection, repo: str, slug: str) -> Entry | None:
    """The entry that has, or once had, this slug in its repo; None if there is none.

    A caller that cares which of the two compares the entry's slug.
    """
    row = connection.execute(
        f"{_ENTRY} WHERE repo = ? AND slug = ?"
        f" UNION ALL {_ENTRY} WHERE number ="
        " (SELECT error FROM aliases WHERE repo = ? AND slug = ?)"
        " LIMIT 1",
        (repo, slug, repo, slug),
    ).fetchone()
    return _entry(row) if row else None


def entry_by_name(connection: sqlite3.Connection, name: str) -> Entry | None:
    """The entry that people call `name`: an id, `ERR-` and an id, or `owner/repo/slug`."""
    repo, _, slug = name.strip("/").rpartition("/")
    if repo:
        return entry_by_slug(connection, repo, slug)
    return entry_by_id(connection, name.lower().removeprefix("err-"))


def entries(connection: sqlite3.Connection) -> Iterator[Entry]:
    """Every entry, by repo and slug, streamed."""
    for row in connection.execute(f"{_ENTRY} ORDER BY repo, slug"):
        yield _entry(row)


def entries_with_prefix(connection: sqlite3.Connection, prefix: str) -> Iterator[Entry]:
    """The entries whose id begins so, by id, streamed."""
    rows = connection.execute(
        f"{_ENTRY} WHERE id >= ? AND id < ? || 'g' ORDER BY id", (prefix, prefix)
    )
    for row in rows:
        yield _entry(row)


def entries_of_repo(connection: sqlite3.Connection, repo: str) -> Iterator[Entry]:
    """The entries of a repo, by slug, streamed."""
    for row in connection.execute(f"{_ENTRY} WHERE repo = ? ORDER BY slug", (repo,)):
        yield _entry(row)


def repos(connection: sqlite3.Connection) -> list[Count]:
    """Every repo that has errors, by name."""
    return [
        Count(*row) for row in connection.execute("SELECT repo, count(*) FROM errors GROUP BY repo")
    ]


def source_names(connection: sqlite3.Connection) -> list[str]:
    """Everything that was ever imported from, as it was named, the first first."""
    return [name for (name,) in connection.execute("SELECT name FROM sources ORDER BY source")]
