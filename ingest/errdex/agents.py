"""What coding agents ask of errdex, apart from the protocol that they ask it in.

Each call opens the database for itself, so that an import that has landed since is seen.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from errdex import markdown
from errdex.database.connection import open_for_reading
from errdex.database.fixes import fixes_of
from errdex.database.queries import entry_by_name, repos, source_names
from errdex.errors import RecordUnknown, SourceMissing
from errdex.load import ingest
from errdex.match.engine import Matcher
from errdex.report.json import completed

_MOST = 20


class Desk:
    """Answers about one database."""

    def __init__(self, database: Path, site: str = "") -> None:
        self._database = database
        self._site = site.rstrip("/")

    def search_error(
        self, message: str, repo: str | None = None, limit: int = 5
    ) -> dict[str, object]:
        """The records whose message the text holds, best first, with the first fixes."""
        with self._open() as connection:
            answer = Matcher(connection).match(message, limit=max(1, min(limit, _MOST)), repo=repo)
            fixes = fixes_of(connection, [match.id for match in answer.matches])
            found = [completed(match, fixes.get(match.id)) for match in answer.matches]
        for match in found:
            del match["spans"], match["line"]
            if self._site:
                match["page"] = f"{self._site}/e/{match['id']}"
        return {"matches": found, "known": bool(answer.claimed)}

    def get_error(
        self, id: str | None = None, repo: str | None = None, slug: str | None = None
    ) -> str:
        """A whole record as Markdown. Raises RecordUnknown."""
        name = id or f"{repo or ''}/{slug or ''}"
        with self._open() as connection:
            entry = entry_by_name(connection, name)
        if entry is None:
            raise RecordUnknown(name=name, path=self._database)
        page = f"{self._site}/e/{entry.record.id}" if self._site else None
        return markdown.render(entry, address=page)

    def list_repos(self) -> dict[str, object]:
        """Every repo that has records, with how many."""
        with self._open() as connection:
            found = repos(connection)
        return {"repos": [{"repo": name, "errors": errors} for name, errors in found]}

    def refresh_dataset(self) -> dict[str, object]:
        """Import again from where the database came from; what changed is in the answer.

        Raises SourceMissing when none of its sources is there any more, and whatever an
        import raises.
        """
        with self._open() as connection:
            names = source_names(connection)
        found = [name for name in names if "://" in name or Path(name).exists()]
        if not found:
            raise SourceMissing(source=", ".join(names) or "the source of the database")
        summary = ingest(found, self._database)
        return {
            "sources": found,
            "read": summary.read,
            "added": summary.added,
            "changed": summary.changed,
            "unchanged": summary.unchanged,
            "rejected": summary.rejected,
        }

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        connection = open_for_reading(self._database)
        try:
            yield connection
        finally:
            connection.close()
