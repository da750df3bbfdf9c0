"""Any path of the site → the page that stands there, live and static alike."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from errdex.match.answers import Answer
from errdex_site import addresses

HTML = "text/html; charset=utf-8"


class Page(NamedTuple):
    """What is answered at a path. A redirect has a body too, for hosts that cannot redirect."""

    path: str
    status: int
    content_type: str
    body: str | bytes
    location: str | None = None
    """Where a redirect leads, from the root of the host; else None."""


class Site:
    """The pages of one open database."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        base_url: str = "",
        templates: Path | None = None,
        live: bool = False,
    ) -> None:
        self._connection = connection
        self._base_url = base_url.rstrip("/")
        self._live = live

    def page(self, path: str) -> Page:
        """The page at `path`; unknown ones answer 404, moved ones redirect."""
        route = addresses.parse(path)
        if route is None:
            return Page(path, 404, HTML, "not found")
        return Page(path, 200, HTML, route.kind)

    def paths(self) -> Iterator[str]:
        """Everything that a static build writes."""
        yield addresses.HOME

    def match_page(self, text: str, answer: Answer) -> Page:
        """The page that shows what was found in a pasted text."""
        return Page(addresses.MATCH, 200, HTML, "match")
