"""What the pages ask of the database: lists to browse, neighbours of an error, totals.

Nothing here holds a whole table: lists come a page at a time, everything else streams.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

import msgspec

from errdex.database.queries import Count, Heading

MOST_OF_A_CLASS = 200
"""Errors, over all repos; naming four of more says nothing."""

By = Literal["repo", "tag", "family", "code"]

_FIELDS = ", ".join(f"errors.{name}" for name in Heading._fields)
_LISTS: dict[By, str] = {
    # the numbers under a name, from an index alone; the orders keep pages stable as records
    # are added: a repo's list by name, the long lists by age
    "repo": "SELECT number FROM errors WHERE repo = ? ORDER BY slug",
    "tag": "SELECT error AS number FROM error_tags WHERE tag = ? ORDER BY error",
    "family": "SELECT number FROM errors WHERE background_tag = ? ORDER BY id",
    "code": "SELECT number FROM errors WHERE error_code = ? ORDER BY number",
}
_NAMES: dict[By, str] = {
    "repo": "SELECT repo AS name, count(*) AS errors FROM errors GROUP BY repo",
    "tag": "SELECT tag AS name, count(*) AS errors FROM error_tags GROUP BY tag",
    "family": "SELECT background_tag AS name, count(*) AS errors FROM errors"
    " WHERE background_tag IS NOT NULL GROUP BY background_tag",
    "code": "SELECT error_code AS name, count(*) AS errors FROM errors"
    " WHERE error_code IS NOT NULL GROUP BY error_code",
}


class Totals(NamedTuple):
    """How much the database holds, and how new it is."""

    errors: int
    repos: int
    tags: int
    families: int
    codes: int
    dataset_version: str | None
    analyzed_at: str | None
    """The newest analysis of any record; None without records."""


class RepoFacts(NamedTuple):
    """What is known of a repo; None is what its source did not say."""

    repo: str
    errors: int
    description: str | None
    language: str | None
    stars: int | None
    source_files: int | None
    default_branch: str | None
    analyzed_sha: str | None
    analyzed_at: str | None


class Mention(NamedTuple):
    """An error as a feed or a site map names it."""

    id: str
    repo: str
    slug: str
    error_message: str
    documentation: str
    analyzed_at: str


_REPO_FACTS = (
    "SELECT repos.repo, (SELECT count(*) FROM errors WHERE errors.repo = repos.repo) AS listed,"
    " description, language, stars, source_files, default_branch,"
    " coalesce(analyzed_sha, (SELECT max(analyzed_sha) FROM errors WHERE repo = repos.repo)),"
    " coalesce(analyzed_at, (SELECT max(analyzed_at) FROM errors WHERE repo = repos.repo))"
    " FROM repos"
)


class Browser:
    """Lists over one open connection.

    The names that people browse by are counted once and kept in temporary tables, which
    live outside the file; they are counted anew when another connection has changed it.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._counted: dict[By, int] = {}
        self._totals: tuple[int, Totals] | None = None
        self._facts: tuple[int, str, RepoFacts | None] | None = None

    def totals(self) -> Totals:
        """What the database holds."""
        version = self._version()
        if self._totals is None or self._totals[0] != version:
            repos, tags, families, codes = map(self._names, _NAMES)
            row = self._connection.execute(
                "SELECT count(*), max(dataset_version), max(analyzed_at) FROM errors"
            ).fetchone()
            self._totals = version, Totals(row[0], repos, tags, families, codes, row[1], row[2])
        return self._totals[1]

    def count_names(self, by: By) -> int:
        """How many different names there are."""
        return self._names(by)

    def names(self, by: By, limit: int, offset: int = 0) -> list[Count]:
        """The names in alphabetical order, a stretch of them."""
        self._names(by)
        rows = self._connection.execute(
            f"SELECT name, errors FROM temp.names_{by} WHERE rowid > ? ORDER BY rowid LIMIT ?",
            (offset, limit),
        )
        return [Count(*row) for row in rows]

    def largest(self, by: By, limit: int) -> list[Count]:
        """The names with the most errors."""
        self._names(by)
        rows = self._connection.execute(
            f"SELECT name, errors FROM temp.names_{by} ORDER BY errors DESC, name LIMIT ?",
            (limit,),
        )
        return [Count(*row) for row in rows]

    def count(self, by: By, name: str) -> int:
        """How many errors stand under this name."""
        self._names(by)
        row = self._connection.execute(
            f"SELECT errors FROM temp.names_{by} WHERE name = ?", (name,)
        ).fetchone()
        return row[0] if row else 0

    def errors(self, by: By, name: str, limit: int, offset: int = 0) -> list[Heading]:
        """The errors under this name, a stretch of them."""
        found = self._connection.execute(
            f"SELECT {_FIELDS} FROM ({_LISTS[by]} LIMIT ? OFFSET ?) AS listed"
            " CROSS JOIN errors USING (number)",
            (name, limit, offset),
        )
        return [Heading(*row) for row in found]

    def facts(self, repo: str) -> RepoFacts | None:
        """As `facts_of_repo`; the last are kept, as a repo has many pages."""
        version = self._version()
        if self._facts is None or self._facts[:2] != (version, repo):
            self._facts = version, repo, facts_of_repo(self._connection, repo)
        return self._facts[2]

    def _version(self) -> int:
        """Changes when another connection has changed the file."""
        version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return version

    def _names(self, by: By) -> int:
        """Count the names where that was not done since the file changed; how many there are."""
        version = self._version()
        if self._counted.get(by) != version:
            self._connection.execute(f"DROP TABLE IF EXISTS temp.names_{by}")
            self._connection.execute(
                f"CREATE TEMP TABLE names_{by} (name TEXT UNIQUE, errors INTEGER)"
            )
            self._connection.execute(
                f"INSERT INTO temp.names_{by} SELECT name, errors FROM ({_NAMES[by]}) ORDER BY name"
            )
            self._counted[by] = version
        row = self._connection.execute(f"SELECT max(rowid) FROM temp.names_{by}").fetchone()
        return row[0] or 0


def repo_facts(connection: sqlite3.Connection, limit: int, offset: int = 0) -> list[RepoFacts]:
    """The repos that have errors, by name, a stretch of them."""
    rows = connection.execute(
        f"{_REPO_FACTS} WHERE listed > 0 ORDER BY repos.repo LIMIT ? OFFSET ?", (limit, offset)
    )
    return [RepoFacts(*row) for row in rows]


def all_repo_facts(connection: sqlite3.Connection) -> Iterator[RepoFacts]:
    """The repos that have errors, by name, streamed."""
    for row in connection.execute(f"{_REPO_FACTS} WHERE listed > 0 ORDER BY repos.repo"):
        yield RepoFacts(*row)


def facts_of_repo(connection: sqlite3.Connection, repo: str) -> RepoFacts | None:
    """What is known of one repo, in the spelling that it has; None when it has no errors."""
    row = connection.execute(f"{_REPO_FACTS} WHERE repos.repo = ?", (repo,)).fetchone()
    return RepoFacts(*row) if row and row[1] else None


def same_file(
    connection: sqlite3.Connection, repo: str, file: str, line: int | None, record_id: str
) -> list[Heading]:
    """The errors that are raised nearest to this line: up to two above and two below."""
    (number,) = connection.execute(
        "SELECT number FROM errors WHERE id = ?", (record_id,)
    ).fetchone()
    place = (repo, file, line, number)
    found = connection.execute(
        f"SELECT * FROM (SELECT {_FIELDS} FROM errors WHERE repo = ? AND file_path = ?"
        " AND (line_number, number) < (?, ?) ORDER BY line_number DESC, number DESC LIMIT 2)"
        f" UNION ALL SELECT * FROM (SELECT {_FIELDS} FROM errors WHERE repo = ? AND file_path = ?"
        " AND (line_number, number) > (?, ?) ORDER BY line_number, number LIMIT 2)",
        place + place,
    )
    return [Heading(*row) for row in found]


def same_family(connection: sqlite3.Connection, family: str, record_id: str) -> list[Heading]:
    """Up to four others of the family. Ids are hashes, so neighbours by id are a fair mix."""
    return [
        Heading(*row)
        for row in connection.execute(
            f"SELECT * FROM (SELECT {_FIELDS} FROM errors WHERE background_tag = ? AND id > ?"
            " ORDER BY id LIMIT 4)"
            f" UNION ALL SELECT * FROM (SELECT {_FIELDS} FROM errors WHERE background_tag = ?"
            " AND id < ? ORDER BY id LIMIT 4) LIMIT 4",
            (family, record_id, family, record_id),
        )
    ]


def of_classes(
    connection: sqlite3.Connection, repo: str, classes: Sequence[str], file: str, record_id: str
) -> list[Heading]:
    """Up to four others of the repo whose class, without its package, is one of these; those of
    the same file first. None for classes that more than MOST_OF_A_CLASS errors have."""
    words = " OR ".join(f'"{name}"' for name in classes if name.isidentifier())
    if not words:
        return []
    question = f"error_class : ({words})"
    (count,) = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM errors_fts WHERE errors_fts MATCH ? LIMIT ?)",
        (question, MOST_OF_A_CLASS + 1),
    ).fetchone()
    if count > MOST_OF_A_CLASS:
        return []
    rows = connection.execute(
        f"SELECT {_FIELDS} FROM errors_fts JOIN errors ON errors.number = errors_fts.rowid"
        " WHERE errors_fts MATCH ? AND repo = ? AND id != ?"
        " ORDER BY file_path != ?, id",
        (question, repo, record_id, file),
    )
    headings = (Heading(*row) for row in rows)
    wanted = set(classes)
    return list(islice((one for one in headings if tail(one.error_class) in wanted), 4))


def tail(error_class: str | None) -> str:
    """A class without its package."""
    return re.split(r"[.:\\$]", error_class)[-1] if error_class else ""


def newest(connection: sqlite3.Connection, limit: int) -> list[Mention]:
    """The errors that were analysed last, newest first."""
    fields = ", ".join(Mention._fields)
    rows = connection.execute(
        f"SELECT {fields} FROM errors ORDER BY analyzed_at DESC, id LIMIT ?", (limit,)
    )
    return [Mention(*row) for row in rows]


def addresses(
    connection: sqlite3.Connection, limit: int, offset: int = 0
) -> Iterator[tuple[str, str, str]]:
    """(repo, slug, analyzedAt) of the errors, by repo and slug, a stretch of them."""
    yield from connection.execute(
        "SELECT repo, slug, analyzed_at FROM errors ORDER BY repo, slug LIMIT ? OFFSET ?",
        (limit, offset),
    )


def ids_with_prefix(connection: sqlite3.Connection, prefix: str) -> Iterator[tuple[str, str, str]]:
    """(id, repo, slug) of the errors whose id begins so, by id."""
    yield from connection.execute(
        "SELECT id, repo, slug FROM errors WHERE id >= ? AND id < ? || 'g' ORDER BY id",
        (prefix, prefix),
    )


_INDEXED = (
    "SELECT id, repo, slug, error_code, error_message, message_pattern, error_type,"
    " error_class, (SELECT json_group_array(tag) FROM (SELECT tag FROM error_tags"
    " WHERE error = errors.number ORDER BY position)), severity FROM errors"
)


def index_rows(connection: sqlite3.Connection) -> Iterator[list[object]]:
    """(id, repo, slug, code, message, pattern, type, class, tags, severity) by repo and slug."""
    yield from map(_index_row, connection.execute(f"{_INDEXED} ORDER BY repo, slug"))


def index_row(connection: sqlite3.Connection, record_id: str) -> list[object]:
    """That of one error."""
    return _index_row(connection.execute(f"{_INDEXED} WHERE id = ?", (record_id,)).fetchone())


def _index_row(row: tuple[object, ...]) -> list[object]:
    *first, tags, severity = row
    return [*first, msgspec.json.decode(str(tags)), severity]


def ids_beginning(connection: sqlite3.Connection, prefix: str) -> Iterator[str]:
    """The ids that begin so, in order."""
    rows = connection.execute(
        "SELECT id FROM errors WHERE id >= ? AND id < ? || 'g' ORDER BY id", (prefix, prefix)
    )
    for (one,) in rows:
        yield one


def ids(connection: sqlite3.Connection) -> Iterator[str]:
    """Every id, by repo and slug."""
    for (one,) in connection.execute("SELECT id FROM errors ORDER BY repo, slug"):
        yield one


def ids_of_repo(connection: sqlite3.Connection, repo: str) -> Iterator[str]:
    """The ids of a repo's errors, by slug."""
    for (one,) in connection.execute("SELECT id FROM errors WHERE repo = ? ORDER BY slug", (repo,)):
        yield one


def id_prefixes(connection: sqlite3.Connection, digits: int) -> Iterator[str]:
    """What the ids begin with: each prefix of so many digits once, in order."""
    for (prefix,) in connection.execute(
        "SELECT DISTINCT substr(id, 1, ?) AS prefix FROM errors ORDER BY prefix", (digits,)
    ):
        yield prefix


def aliases(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """(repo, slug) of every address that an error once had, unless another has it now."""
    yield from connection.execute(
        "SELECT aliases.repo, aliases.slug FROM aliases WHERE NOT EXISTS (SELECT 1 FROM errors"
        " WHERE errors.repo = aliases.repo AND errors.slug = aliases.slug)"
        " ORDER BY aliases.repo, aliases.slug"
    )
