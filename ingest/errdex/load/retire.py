"""Records that their repo's newest analysis has no more: kept, and marked retired."""

from __future__ import annotations

from errdex.clock import now
from errdex.database.writing import Store
from errdex.load.summary import Summary
from errdex.load.versions import is_newer


class Absence:
    """Watches what is read of sources that hold all records of their repos.

    Nothing is retired where a record was rejected, since it may be one that seems absent,
    nor by a dataset older than the one that last held the record.
    """

    def __init__(self, store: Store, summary: Summary) -> None:
        self._store = store
        self._summary = summary
        self._rejected = 0
        self._version: str | None = None

    def begin(self, repo: str | None = None) -> None:
        """Begin a source. `repo` is the one that it holds; else they are told by its records."""
        self._store.watch()
        self._rejected = self._summary.rejected
        self._version = None
        if repo is not None:
            self._store.note_repos([repo])

    def read(self, numbers: list[int], version: str | None) -> None:
        """Note errors that were read, and the dataset that they came in."""
        self._store.note_read(numbers)
        if self._version is None or is_newer(version, self._version):
            self._version = version

    def end(self, retired_at: str | None, version: str | None = None, *, all_repos: bool) -> None:
        """Retire what was not read. With `all_repos`, of all repos that had a record read."""
        if self._summary.rejected > self._rejected:
            return
        if all_repos:
            self._store.repos_read()
        version = version or self._version
        absent = [
            number
            for number, seen_version in self._store.absent()
            if not is_newer(seen_version, version)
        ]
        self._store.retire(absent, retired_at or now())
        self._summary.retired += len(absent)
