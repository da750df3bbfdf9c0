"""How a service is asked to run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

NAME = "db"
"""What Datasette calls the database, whatever its file is called. No owner may be called so."""


@dataclass(frozen=True)
class Options:
    """How to serve."""

    database: Path
    base_url: str = ""
    """The address that the world knows the site by, for links that leave it."""
    requests_per_minute: int = 0
    """From one network address; 0 for as many as they like."""
    allow_sql: bool = False
    """Whether anyone may run SQL of their own on Datasette's pages."""
    behind_proxy: bool = False
    """Believe a proxy on this machine about addresses and scheme."""
    workers: int = 1
    """Processes; each has readers of its own, and they share the rate limit."""

    @property
    def mount(self) -> str:
        """The folder of `base_url`; begins and ends with `/`."""
        path = urlsplit(self.base_url).path.strip("/")
        return f"/{path}/" if path else "/"
