"""One source as an import takes it: its lines, and what tells whether it has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from errdex.errors import SourceUnreadable
from errdex.sources.line import Line
from errdex.sources.reading import read_lines

Progress = Callable[[int], None]
"""Is told how many more bytes of the sources, as they lie there, were read."""


@dataclass
class Feed:
    """A file, or standard input for `-`."""

    name: str
    may_be_empty: bool = False
    """True for files that a person did not name, but a folder or glob that holds them."""
    dataset_version: str | None = None
    """The version of records that say none."""
    repo: str | None = None
    """The repo whose records it holds, all of them; None if that is not known."""
    retired_at: str | None = None
    """The time at which that repo was analysed."""
    path: Path | None = None
    """Where the bytes are, if not at `name`."""
    etag: str | None = None
    """What the server calls this state of it."""
    unchanged: bool = False
    """The server says that it is as it was when it was last imported; there is no path."""
    note_only: bool = False
    """It holds no records, and is to be noted once everything is imported."""
    known_digest: str = ""
    progress: Progress | None = None
    _hash: hashlib._Hash | None = field(default=None, repr=False)

    @property
    def size(self) -> int | None:
        """Bytes, packed as they lie; None where that cannot be told before reading."""
        path = self._path
        try:
            return path.stat().st_size if path.is_file() and self.name != "-" else None
        except OSError:
            return None

    def lines(self) -> Iterator[Line]:
        """The lines, by the name of the feed. For errors, see `read_lines`."""
        self._hash = hashlib.sha256()
        return read_lines(str(self.path or self.name), self._meter, name=self.name)

    def digest(self) -> str:
        """SHA-256 of what was read, in hex; of all, once the lines are at an end."""
        return self._hash.hexdigest() if self._hash is not None else self.known_digest

    def digest_now(self) -> str:
        """SHA-256 of the file as it lies there. Raises SourceUnreadable."""
        try:
            with self._path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as problem:
            raise SourceUnreadable(source=self.name, reason=problem.strerror) from None

    @property
    def _path(self) -> Path:
        return self.path or Path(self.name)

    def _meter(self, data: memoryview) -> None:
        if self._hash is not None:
            self._hash.update(data)
        if self.progress is not None:
            self.progress(len(data))
