"""Style sheets and scripts of the site: read once, kept by browsers."""

from __future__ import annotations

import mimetypes
from functools import cache
from pathlib import Path

import errdex_site
from datasette_errdex.asgi import Response
from datasette_errdex.headers import ANYWHERE, KEEP_AN_HOUR

FOLDER = Path(errdex_site.__file__).parent / "static"
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css"}


@cache
def _assets() -> dict[str, Response]:
    """Every file by its name below the folder. What is not there now is never served."""
    found = {}
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
            text = kind is not None and (kind.startswith("text/") or kind == "image/svg+xml")
            found[path.relative_to(FOLDER).as_posix()] = Response(
                200,
                path.read_bytes(),
                (kind or "application/octet-stream") + ("; charset=utf-8" if text else ""),
                (("cache-control", KEEP_AN_HOUR), *ANYWHERE),
            )
    return found


def asset(name: str) -> Response | None:
    """The file of this name, or None."""
    return _assets().get(name)
