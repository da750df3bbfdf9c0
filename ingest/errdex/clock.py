"""What time it is."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """The time in UTC, to the second, as records write it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
