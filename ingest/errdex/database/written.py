"""What an import tells the database, and what it learns from it of what is there."""

from __future__ import annotations

from typing import NamedTuple, Protocol

Row = tuple[object, ...]
"""number, pattern, dataset_version, extra, then a record's columns in RECORD_COLUMNS' order."""

FIRST_COLUMNS = ("number", "pattern", "dataset_version", "extra")
"""Columns of a Row before those of the record."""


class Place(Protocol):
    """A record as it was read, and where."""

    @property
    def source(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def data(self) -> bytes: ...


class Counts(Protocol):
    """What one import did."""

    read: int
    added: int
    changed: int
    unchanged: int
    older: int
    retired: int
    rejected: int


class Origin(NamedTuple):
    """Where the content of one error came from."""

    error: int
    digest: bytes
    seen_version: str | None
    source: int
    line: int


class SourceState(NamedTuple):
    """What one source held when it was imported."""

    name: str
    digest: str
    """SHA-256 of its bytes as they lay there, in hex."""
    bytes: int
    etag: str | None
    dataset_version: str | None
    read: int
    rejected: int


class Stored(NamedTuple):
    """An error as it stands in the database."""

    number: int
    content: Row
    """The columns of RECORD_COLUMNS."""
    tags: list[str]
    extra: str | None
    retired: bool
    seen_version: str | None
    imported: int
    """The import that its content came with."""


class Rival(NamedTuple):
    """The error that holds a slug which another record wants."""

    number: int
    id: str
    analyzed_at: str
    seen_version: str | None
