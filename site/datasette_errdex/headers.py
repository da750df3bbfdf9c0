"""The headers that every answer carries, and how a browser may keep it.

Our own pages live under a strict Content-Security-Policy. Datasette's pages have inline
scripts and styles, so theirs is wider; the rest is the same for both.
"""

from __future__ import annotations

import hashlib

from datasette_errdex.asgi import Response
from errdex_site.policy import HEADERS

_HARDENING = (
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
SITE = tuple((name.lower(), value) for name, value in HEADERS.items()) + _HARDENING
"""On everything of ours. The site says the same to hosts of its static build."""

_DATASETTE_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
DATASETTE = tuple(dict(SITE, **{"content-security-policy": _DATASETTE_POLICY}).items())
"""On everything of Datasette, unless it says otherwise itself."""

KEEP_A_MINUTE = "public, max-age=60, stale-while-revalidate=600"
"""For what changes with the next import."""
KEEP_AN_HOUR = "public, max-age=3600"
"""For what changes with the next version of errdex."""
KEEP_FOR_GOOD = "public, max-age=31536000, immutable"
"""For files whose address holds a hash of them."""
KEEP_NOWHERE = "no-store"
"""For answers that hold what the reader sent."""

ANYWHERE = (("access-control-allow-origin", "*"),)
"""Answers that pages of other sites may read: they are public and no cookie counts."""


def entity_tag(body: bytes) -> str:
    """A strong validator: the same bytes, the same tag, in every process."""
    return f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'


def answered_before(wanted: str, tag: str) -> bool:
    """Whether `If-None-Match: wanted` names this tag; weak tags count, as RFC 9110 says."""
    names = {name.strip().removeprefix("W/") for name in wanted.split(",")}
    return "*" in names or tag in names


def complete(response: Response) -> list[tuple[str, str]]:
    """All headers of one of our answers, in lower case."""
    return [("content-type", response.content_type), *SITE, *response.headers]
