"""Addresses that a report points at."""

from __future__ import annotations

from collections.abc import Mapping

_LONGEST = 200
"""Characters of a value that a link carries; longer ones are left out of it."""


def page_address(site: str, record_id: str, values: Mapping[str, str]) -> str:
    """The record's short link; the reader's values ride in the fragment, so that they
    never reach the server."""
    from urllib.parse import quote  # slow to import, and without a site nothing needs it

    short = {name: value for name, value in values.items() if len(value) <= _LONGEST}
    pairs = "&".join(
        f"{quote(name, safe='', errors='replace')}={quote(short[name], safe='', errors='replace')}"
        for name in short
    )
    return f"{site}/e/{record_id}" + (f"#v={pairs}" if pairs else "")
