"""What an import writes: rows in, by the batch; the importer decides what and when."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256

import msgspec

from errdex.database.schema import RECORD_COLUMNS
from errdex.database.written import (
    FIRST_COLUMNS,
    Counts,
    Origin,
    Place,
    Rival,
    Row,
    SourceState,
    Stored,
)

_encode = msgspec.json.Encoder().encode
_COLUMNS = (*FIRST_COLUMNS, *RECORD_COLUMNS)
INSERT = f"INSERT INTO errors ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
_INSERT_FREE = INSERT.replace("INSERT", "INSERT OR IGNORE", 1)
_SEARCHED = ("error_message", "error_class", "error_code", "documentation")
_FTS = f"rowid, {', '.join(_SEARCHED)}"


class Store:
    """The tables of one import, within the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        row = connection.execute("SELECT coalesce(max(number), 0) FROM errors").fetchone()
        self.last_number: int = row[0]
        (last,) = connection.execute("SELECT coalesce(max(import), 0) FROM imports").fetchone()
        self.import_number: int = last + 1
        (retired,) = connection.execute("SELECT coalesce(sum(retired), 0) FROM imports").fetchone()
        self._ever_retired: bool = retired > 0

    # -- errors ---------------------------------------------------------------------------

    def seen(self, digests: Collection[bytes]) -> dict[bytes, tuple[int, str | None, bool]]:
        """The errors that stand there byte by byte: number, version last seen in, retired."""
        marks = ", ".join("?" * len(digests))
        sql = f"SELECT digest, error, seen_version, 0 FROM error_sources WHERE digest IN ({marks})"
        if self._ever_retired:  # else the large rows of `errors` need not be looked at
            sql = (
                "SELECT digest, error, seen_version, retired_at IS NOT NULL FROM error_sources"
                f" JOIN errors ON errors.number = error WHERE digest IN ({marks})"
            )
        rows = self._connection.execute(sql, tuple(digests))
        return {
            digest: (number, version, bool(retired)) for digest, number, version, retired in rows
        }

    def insert(self, rows: Sequence[Row]) -> set[int]:
        """Insert what has a free id and a free slug; the numbers of the rows that had not."""
        refused = insert_free(self._connection, rows)
        self._search_text([row for row in rows if row[0] not in refused])
        return refused

    def update(self, row: Row, old: Stored) -> None:
        """Write a changed record over the error with its number; of it, only what differs, so
        that few pages and indexes are written."""
        fields = row[len(FIRST_COLUMNS) :]
        changed = [
            name
            for name, new, was in zip(RECORD_COLUMNS, fields, old.content, strict=True)
            if new != was
        ]
        names = ["dataset_version", "extra", *changed]
        if "message_pattern" in changed:
            names.append("pattern")
        values = dict(zip(_COLUMNS, row, strict=True))
        self._connection.execute(
            f"UPDATE errors SET {', '.join(f'{name} = ?' for name in names)}, retired_at = NULL"
            " WHERE number = ?",
            (*(values[name] for name in names), row[0]),
        )
        if not set(_SEARCHED).isdisjoint(changed):
            self._forget_text(old)
            self._search_text([row])

    def untag(self, number: int) -> None:
        """Take all tags from an error."""
        self._connection.execute("DELETE FROM error_tags WHERE error = ?", (number,))

    def rename(self, number: int, slug: str) -> None:
        """Give an error another slug."""
        self._connection.execute("UPDATE errors SET slug = ? WHERE number = ?", (slug, number))

    def revive(self, numbers: Iterable[int]) -> None:
        """Take the mark `retired` from errors that are raised again."""
        self._connection.executemany(
            "UPDATE errors SET retired_at = NULL WHERE number = ?", [(n,) for n in numbers]
        )

    def by_id(self, record_id: str) -> Stored | None:
        """The error with this id."""
        row = self._connection.execute(
            "SELECT number, extra, retired_at IS NOT NULL, seen_version, import,"
            f" {', '.join(RECORD_COLUMNS)}"
            " FROM errors JOIN error_sources ON error_sources.error = errors.number WHERE id = ?",
            (record_id,),
        ).fetchone()
        if row is None:
            return None
        tags = self._connection.execute(
            "SELECT tag FROM error_tags WHERE error = ? ORDER BY position", (row[0],)
        )
        number, extra, retired, version, imported, *content = row
        names = [tag for (tag,) in tags]
        return Stored(number, tuple(content), names, extra, bool(retired), version, imported)

    def by_slug(self, repo: str, slug: str) -> Rival | None:
        """The error that has this slug in its repo."""
        row = self._connection.execute(
            "SELECT number, id, analyzed_at, seen_version FROM errors"
            " JOIN error_sources ON error_sources.error = errors.number"
            " WHERE repo = ? AND slug = ?",
            (repo, slug),
        ).fetchone()
        return Rival(*row) if row else None

    # -- what a repo has no more ------------------------------------------------------------

    def watch(self) -> None:
        """Begin to note which errors were read, and of which repos."""
        self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS read (error INTEGER PRIMARY KEY)")
        self._connection.execute(
            "CREATE TEMP TABLE IF NOT EXISTS read_repos"
            " (repo TEXT PRIMARY KEY COLLATE NOCASE) WITHOUT ROWID"
        )
        self.forget_read()

    def forget_read(self) -> None:
        """Begin anew."""
        self._connection.execute("DELETE FROM temp.read")
        self._connection.execute("DELETE FROM temp.read_repos")

    def note_read(self, numbers: Iterable[int]) -> None:
        """Note that these errors were read."""
        self._connection.executemany(
            "INSERT OR IGNORE INTO temp.read (error) VALUES (?)", [(n,) for n in numbers]
        )

    def note_repos(self, repos: Iterable[str]) -> None:
        """Note that all records of these repos were read."""
        self._connection.executemany(
            "INSERT OR IGNORE INTO temp.read_repos (repo) VALUES (?)", [(r,) for r in repos]
        )

    def absent(self) -> list[tuple[int, str | None]]:
        """The errors of the repos read that were not read themselves: number, version."""
        return self._connection.execute(
            "SELECT number, seen_version FROM errors"
            " JOIN error_sources ON error_sources.error = number"
            " WHERE repo IN (SELECT repo FROM temp.read_repos) AND retired_at IS NULL"
            " AND number NOT IN (SELECT error FROM temp.read)"
        ).fetchall()

    def repos_read(self) -> None:
        """Note the repos of all errors that were read."""
        self._connection.execute(
            "INSERT OR IGNORE INTO temp.read_repos (repo)"
            " SELECT DISTINCT repo FROM errors JOIN temp.read ON error = number"
        )

    def retire(self, numbers: Iterable[int], retired_at: str) -> None:
        """Mark errors that their repo raises no more."""
        self._ever_retired = True
        self._connection.executemany(
            "UPDATE errors SET retired_at = ? WHERE number = ?",
            [(retired_at, number) for number in numbers],
        )

    # -- what stands beside them ----------------------------------------------------------

    def tag(self, tagged: Iterable[tuple[object, list[str]]]) -> None:
        """Give errors their tags, in order; one tag may stand twice."""
        self._connection.executemany(
            "INSERT INTO error_tags (error, position, tag) SELECT ?, key, value FROM json_each(?)",
            [(number, as_json(tags)) for number, tags in tagged],
        )

    def note_origins(self, origins: Iterable[Origin]) -> None:
        """Say where the content of these errors came from."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO error_sources"
            " (error, digest, seen_version, source, line, import)"
            f" VALUES (?, ?, ?, ?, ?, {self.import_number})",
            origins,
        )

    def confirm(self, versions: Iterable[tuple[str | None, int]]) -> None:
        """Note (version, error): the newest dataset in which an error stood unchanged."""
        self._connection.executemany(
            "UPDATE error_sources SET seen_version = ? WHERE error = ?", versions
        )

    def describe_repos(self, repos: Iterable[Sequence[object]]) -> None:
        """Note (description, language, stars, source_files, default_branch, analyzed_sha,
        analyzed_at, error_count, repo) of repos that have records."""
        self._connection.executemany(
            "UPDATE repos SET description = ?, language = ?, stars = ?, source_files = ?,"
            " default_branch = ?, analyzed_sha = ?, analyzed_at = ?, error_count = ?"
            " WHERE repo = ?",
            repos,
        )

    def spelling(self, repo: str) -> str:
        """The repo as it was first spelled; it is added if it is new."""
        self._connection.execute("INSERT OR IGNORE INTO repos (repo) VALUES (?)", (repo,))
        row = self._connection.execute("SELECT repo FROM repos WHERE repo = ?", (repo,)).fetchone()
        return str(row[0])

    def alias(self, repo: str, slug: str, number: int) -> None:
        """Let a name that an error had lead to it, unless another error has that name."""
        self._connection.execute(
            "INSERT OR REPLACE INTO aliases (repo, slug, error) SELECT ?, ?, ?"
            " WHERE NOT EXISTS (SELECT 1 FROM errors WHERE repo = ? AND slug = ?)",
            (repo, slug, number, repo, slug),
        )

    def keep_reject(self, place: Place, reasons: str) -> None:
        """Keep a record that is not well-formed; once, however often it comes."""
        self._connection.execute(
            "INSERT OR REPLACE INTO rejects (import, source, line, reasons, data, digest)"
            f" VALUES ({self.import_number}, ?, ?, ?, ?, ?)",
            (place.source, place.number, reasons, place.data, sha256(place.data).digest()[:16]),
        )

    def source_number(self, name: str) -> int:
        """The number of a source, which is noted if it is new."""
        self._connection.execute(
            "INSERT OR IGNORE INTO sources (name, import, read, rejected)"
            f" VALUES (?, {self.import_number}, 0, 0)",
            (name,),
        )
        row = self._connection.execute("SELECT source FROM sources WHERE name = ?", (name,))
        return int(row.fetchone()[0])

    def source_state(self, name: str) -> SourceState | None:
        """What a source held when it was last imported; None if records changed since."""
        return source_state(self._connection, name)

    def confirm_source(self, name: str, version: str | None) -> None:
        """Note that a newer dataset holds a source as it was."""
        self._connection.execute(
            "UPDATE error_sources SET seen_version = ?"
            " WHERE source = (SELECT source FROM sources WHERE name = ?)",
            (version, name),
        )

    def note_sources(self, states: Iterable[SourceState]) -> None:
        """Note what sources held, all of which is in the database now."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO sources (source, name, digest, bytes, etag, dataset_version,"
            " read, rejected, import) VALUES ((SELECT source FROM sources WHERE name = ?1), ?1,"
            f" ?2, ?3, ?4, ?5, ?6, ?7, {self.import_number})",
            states,
        )

    def note_import(self, source: str, started_at: str, finished_at: str, counts: Counts) -> None:
        """Write the row of this import."""
        self._connection.execute(
            "INSERT INTO imports"
            " (import, source, started_at, finished_at, read, added, changed, unchanged, older,"
            f" retired, rejected) VALUES ({self.import_number}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                source,
                started_at,
                finished_at,
                counts.read,
                counts.added,
                counts.changed,
                counts.unchanged,
                counts.older,
                counts.retired,
                counts.rejected,
            ),
        )

    # -- the end --------------------------------------------------------------------------

    def finish(self) -> None:
        """Drop aliases that are the slug of another error by now."""
        self._connection.execute(
            "DELETE FROM aliases WHERE EXISTS (SELECT 1 FROM errors"
            " WHERE errors.repo = aliases.repo AND errors.slug = aliases.slug)"
        )

    def _search_text(self, rows: Sequence[Row]) -> None:
        picked = [_COLUMNS.index(name) for name in _SEARCHED]
        self._connection.executemany(
            f"INSERT INTO errors_fts ({_FTS}) VALUES (?, ?, ?, ?, ?)",
            [(row[0], *(row[at] for at in picked)) for row in rows],
        )

    def _forget_text(self, old: Stored) -> None:
        values = [old.content[RECORD_COLUMNS.index(name)] for name in _SEARCHED]
        self._connection.execute(
            f"INSERT INTO errors_fts (errors_fts, {_FTS}) VALUES ('delete', ?, ?, ?, ?, ?)",
            (old.number, *values),
        )


def source_state(connection: sqlite3.Connection, name: str) -> SourceState | None:
    """What a source held when it was last imported; None if records changed since."""
    row = connection.execute(
        "SELECT name, digest, bytes, etag, dataset_version, read, rejected FROM sources"
        " WHERE name = ? AND digest IS NOT NULL AND import >= (SELECT coalesce(max(import), 0)"
        " FROM imports WHERE added + changed + retired > 0)",
        (name,),
    ).fetchone()
    return SourceState(*row) if row else None


def insert_free(connection: sqlite3.Connection, rows: Sequence[Row]) -> set[int]:
    """Insert the rows of `errors` whose id and slug are free; the numbers of the others."""
    before = connection.total_changes
    connection.executemany(_INSERT_FREE, rows)
    if connection.total_changes - before == len(rows):
        return set()
    inserted = connection.execute(
        "SELECT number FROM errors WHERE number BETWEEN ? AND ?", (rows[0][0], rows[-1][0])
    )
    numbers: set[int] = {row[0] for row in rows}  # type: ignore[misc]  # a row begins with it
    return numbers - {number for (number,) in inserted}


def as_json(values: object) -> str:
    """A list or an object as the database keeps it."""
    return _encode(values).decode()
