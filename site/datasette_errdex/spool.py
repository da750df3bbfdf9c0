"""An answer that is too large to hold in memory: written to a file, sent from it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable

PIECE = 256 * 1024
"""Bytes that are read and sent at once."""


class Spool:
    """Bytes in a temporary file without a name; several threads may read it at once."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        digest = hashlib.blake2b(digest_size=12)
        self.size = 0
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed when nobody sends it
        for chunk in chunks:
            digest.update(chunk)
            self.size += len(chunk)
            self._file.write(chunk)
        self._file.flush()
        self.tag = f'"{digest.hexdigest()}"'

    def piece(self, offset: int) -> bytes:
        """At most 256 kB from there on."""
        return os.pread(self._file.fileno(), PIECE, offset)

    def __del__(self) -> None:
        self._file.close()
