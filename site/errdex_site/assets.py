"""Our own style sheet and scripts, with a hash in their address so that caches may keep them."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from errdex_site.bundle import bundle

_FOLDER = Path(__file__).parent / "static"
MATCHER = "match.js"
"""The paste box and its worker: every module of `static/match/`, as one script."""

_ENTRY = _FOLDER / "match" / "main.js"
_LOADED = ("match/entities.js", "match/linear.js", "match/automaton.js", "match/words.js")
"""Modules that the worker loads when a text needs them."""

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
}


@cache
def names() -> tuple[str, ...]:
    """Every file of the folder `static/`, by name."""
    files = [file.relative_to(_FOLDER).as_posix() for file in _FOLDER.rglob("*")]
    own = [name for name in files if Path(name).suffix in _TYPES and not _is_part(name)]
    return tuple(sorted([*own, MATCHER]))


@cache
def read(name: str) -> bytes | None:
    """The file's bytes; None for a name that is not in `names`."""
    if name not in names():
        return None
    return bundle(_ENTRY).encode() if name == MATCHER else (_FOLDER / name).read_bytes()


def _is_part(name: str) -> bool:
    """True for a module that pages get as a part of MATCHER."""
    return name.startswith("match/") and name not in _LOADED


def content_type(name: str) -> str:
    """The content type of a file of ours."""
    return _TYPES[Path(name).suffix]


@cache
def versioned(name: str) -> str:
    """The file's name with a mark that changes with it. A module's imports are followed by
    name alone, so the mark of a script changes with any script that could be among them."""
    matcher = [MATCHER, *_LOADED]
    scripts = [part for part in names() if part.endswith(".js") and part not in matcher]
    parts = scripts if name in scripts else matcher if name == MATCHER else [name]
    digest = hashlib.sha256(b"".join(read(part) or b"" for part in parts)).hexdigest()
    return f"{name}?{digest[:8]}"
