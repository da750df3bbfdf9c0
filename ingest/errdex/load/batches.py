"""Feeds → batches of lines; a file that has not changed since its last import is not read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from errdex.database.writing import Store
from errdex.database.written import SourceState
from errdex.errors import ImportBroken, SourceEmpty
from errdex.load.summary import Summary
from errdex.sources import STANDARD_INPUT, Feed, Line

_LINES = 200
_BYTES = 4 << 20


class Batch(NamedTuple):
    """Lines of one source, some megabytes at most."""

    lines: list[Line]
    dataset_version: str | None = None
    """The version of records that say none."""
    begins: Feed | None = None
    """Set before the lines of a feed that holds all records of a repo."""
    ends: Feed | None = None
    """Set after them."""


class FixedLines:
    """Lines that come from elsewhere, and of which nothing else is known."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = lines

    def lines(self) -> Iterator[Line]:
        """The lines."""
        return iter(self._lines)


class Intake:
    """Reads feeds one after the other, and notes what each of them held."""

    def __init__(
        self,
        feeds: Sequence[Feed | FixedLines],
        store: Store,
        summary: Summary,
        *,
        skip: bool,
    ) -> None:
        self._feeds = feeds
        self._store = store
        self._summary = summary
        self._skip = skip
        self._states: list[SourceState] = []

    def batches(self) -> Iterator[Batch]:
        """The lines of all feeds. Raises SourceEmpty for one that holds none and may not."""
        for feed in self._feeds:
            if isinstance(feed, FixedLines):
                yield from _batches(feed.lines(), None)
                continue
            if feed.note_only:
                self._note(feed, 0, 0)
                continue
            if (feed.unchanged or self._skip) and self._unchanged(feed):
                continue
            if feed.unchanged:
                raise ImportBroken(reason="another import came between")
            read, rejected = 0, self._summary.rejected
            whole = feed if feed.repo is not None else None
            if whole is not None:
                yield Batch([], begins=whole)
            for batch in _batches(feed.lines(), feed.dataset_version):
                read += len(batch.lines)
                yield batch
            if whole is not None:
                yield Batch([], ends=whole)
            if read == 0 and not feed.may_be_empty:
                raise SourceEmpty(source=STANDARD_INPUT if feed.name == "-" else feed.name)
            self._note(feed, read, self._summary.rejected - rejected)

    def _note(self, feed: Feed, read: int, rejected: int) -> None:
        if feed.size is not None:
            self._states.append(
                SourceState(
                    feed.name,
                    feed.digest(),
                    feed.size,
                    feed.etag,
                    feed.dataset_version,
                    read,
                    rejected,
                )
            )

    def note_sources(self) -> None:
        """Write down what the feeds held, once all of it is in the database."""
        self._store.note_sources(self._states)

    def _unchanged(self, feed: Feed) -> bool:
        """True if its bytes are in the database already, and nothing changed them since."""
        state = self._store.source_state(feed.name)
        if state is None or state.rejected:
            return False
        if not feed.unchanged and (state.bytes != feed.size or state.digest != feed.digest_now()):
            return False
        if feed.dataset_version != state.dataset_version:
            self._store.confirm_source(feed.name, feed.dataset_version)
            state = state._replace(dataset_version=feed.dataset_version)
        self._states.append(state)
        self._summary.read += state.read
        self._summary.unchanged += state.read
        if feed.progress is not None:
            feed.progress(state.bytes)
        return True


def _batches(lines: Iterator[Line], version: str | None) -> Iterator[Batch]:
    batch: list[Line] = []
    size = 0
    for line in lines:
        if batch and (len(batch) >= _LINES or size >= _BYTES or line.source != batch[0].source):
            yield Batch(batch, version)
            batch, size = [], 0
        batch.append(line)
        size += len(line.data)
    if batch:
        yield Batch(batch, version)
