"""Pages that were made already, for as long as the database does not change."""

from __future__ import annotations

import threading
from collections import OrderedDict

from errdex_site.pages import Page

_BYTES = 8 * 1024 * 1024
_LARGEST = 64 * 1024
"""Bytes; a larger page is made anew each time."""


class KeptPages:
    """A bounded table that all readers of one database share.

    A reader that finds the database changed calls `forget`. What was made from the state
    before, and is only now put down, is refused: its age tells.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._bytes = 0
        self.age = 0
        """How often everything was forgotten."""

    def forget(self) -> None:
        """The database has changed."""
        with self._lock:
            self._pages.clear()
            self._bytes = 0
            self.age += 1

    def get(self, path: str) -> Page | None:
        """The page, if it was kept."""
        with self._lock:
            page = self._pages.get(path)
            if page is not None:
                self._pages.move_to_end(path)
            return page

    def put(self, page: Page, age: int) -> None:
        """Keep a page that was made at this age; those that were not asked for longest go."""
        size = len(page.body)
        if size > _LARGEST:
            return
        with self._lock:
            if age != self.age or page.path in self._pages:
                return
            self._pages[page.path] = page
            self._bytes += size
            while self._bytes > _BYTES:
                self._bytes -= len(self._pages.popitem(last=False)[1].body)
