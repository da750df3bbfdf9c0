"""A digest that is computed on another processor, while the bytes are being read."""

from __future__ import annotations

import hashlib
from queue import Queue
from threading import Thread

_AHEAD = 8
"""Chunks that may wait to be hashed."""


class BackgroundHash:
    """SHA-256 of what it is given; `hashlib` lets other threads run meanwhile."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._chunks: Queue[bytes | None] = Queue(_AHEAD)
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def update(self, data: bytes) -> None:
        """Add some bytes."""
        self._chunks.put(data)

    def finish(self) -> None:
        """Wait until all is hashed; nothing can be added after that."""
        if self._thread.is_alive():
            self._chunks.put(None)
            self._thread.join()

    def hexdigest(self) -> str:
        """The digest of all bytes, once it is finished."""
        return self._hash.hexdigest()

    def _work(self) -> None:
        while (data := self._chunks.get()) is not None:
            self._hash.update(data)
