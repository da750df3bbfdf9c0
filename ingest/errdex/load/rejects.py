"""Records that are not well-formed: kept in a file and a table, so that nothing is lost."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import msgspec

from errdex.database.writing import Store, as_json
from errdex.errors import RejectsUnwritable
from errdex.sources import Feed, Line


class Rejects:
    """Takes rejects one at a time; the file is there only once there is one.

    A line of it holds `source`, `line`, `reasons`, and `text` or, where the bytes are
    not UTF-8, `base64`. A person may mend `text` and ingest the file.
    """

    def __init__(self, path: Path, store: Store) -> None:
        self.path = path
        self._store = store
        self._partial = path.with_name(f".{path.name}.partial")
        self._file: IO[bytes] | None = None

    def add(self, line: Line, reasons: list[str]) -> None:
        """Keep one. Raises RejectsUnwritable."""
        row: dict[str, object] = {"source": line.source, "line": line.number, "reasons": reasons}
        try:
            row["text"] = line.data.decode()
        except UnicodeDecodeError:
            row["base64"] = base64.b64encode(line.data).decode()
        try:
            if self._file is None:
                self._file = self._partial.open("wb")
            self._file.write(msgspec.json.encode(row) + b"\n")
        except OSError as problem:
            raise RejectsUnwritable(path=self.path, reason=problem.strerror) from None
        self._store.keep_reject(line, as_json(reasons))

    def publish(self) -> None:
        """Put the file in its place, if there were rejects."""
        if self._file is None:
            return
        try:
            self._file.close()
            self._partial.replace(self.path)
            self._file = None
        except OSError as problem:
            raise RejectsUnwritable(path=self.path, reason=problem.strerror) from None

    def discard(self) -> None:
        """Leave no file that is not whole."""
        if self._file is not None:
            self._file.close()
            self._partial.unlink(missing_ok=True)


def refuse_overwriting(rejects: Path | None, database: Path, feeds: Iterable[Feed]) -> None:
    """Raises RejectsUnwritable for a file that a person named, and that is taken."""
    if rejects is None:
        return
    place = rejects.resolve()
    if place == database:
        raise RejectsUnwritable(path=rejects, reason="it is the database")
    if any(place == Path(feed.path or feed.name).resolve() for feed in feeds):
        raise RejectsUnwritable(path=rejects, reason="it is one of the sources")
