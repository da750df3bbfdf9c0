"""The rules that a browser is asked to hold our pages to."""

from __future__ import annotations

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
    ]
)
"""Content-Security-Policy of every page: nothing inline, nothing from another host."""

HEADERS = {
    # only a header, never a page, can say who may frame it
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
"""What a server says with every page."""


def headers_file() -> str:
    """`_headers`, which Cloudflare Pages and Netlify read."""
    lines = "".join(f"  {name}: {value}\n" for name, value in HEADERS.items())
    return f"/*\n{lines}"
