"""Repos are one and the same whatever their case, as on GitHub; the first spelling stays."""

from __future__ import annotations

from errdex.database.writing import Store
from errdex.load.read import Read
from errdex.load.summary import Summary

_KEPT = 10_000


class Spellings:
    """How repos are spelled in the database; adds those that are new."""

    def __init__(self, store: Store, summary: Summary) -> None:
        self._store = store
        self._summary = summary
        self._known: dict[str, str] = {}

    def of(self, read: Read) -> str:
        """The spelling of a record's repo."""
        repo = read.decoded.record.repo
        spelling = self._known.get(repo)
        if spelling is None:
            spelling = self._store.spelling(repo)
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[repo] = spelling
            if spelling != repo:
                self._summary.note(read.line, f"repo {repo} is filed as {spelling}, as before")
        return spelling
