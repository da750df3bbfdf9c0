"""errdex: a searchable knowledge base of the errors that open-source code raises.

    import errdex

    with errdex.open("errdex.db") as known:
        for match in known.match("ValueError: …").claimed:
            print(match.id, match.score, match.values)

Importing this costs next to nothing: what a name needs is imported when it is first used.
"""

from __future__ import annotations

import importlib
from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errdex.errors import ErrdexError
    from errdex.knowledge import KnowledgeBase
    from errdex.match.answers import Answer, Match, Span
    from errdex.records import Entry, Record

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Entry",
    "ErrdexError",
    "KnowledgeBase",
    "Match",
    "Record",
    "Span",
    "__version__",
    "open",
]

_HOMES = {
    "Answer": "errdex.match.answers",
    "Entry": "errdex.records",
    "ErrdexError": "errdex.errors",
    "KnowledgeBase": "errdex.knowledge",
    "Match": "errdex.match.answers",
    "Record": "errdex.records",
    "Span": "errdex.match.answers",
}


def open(path: str | PathLike[str]) -> KnowledgeBase:
    """The knowledge base in a database file, for reading.

    Close it, or use it in a `with` statement. Raises an ErrdexError where the file is
    missing, is not an errdex database, or is one of another version.
    """
    from errdex.knowledge import KnowledgeBase

    return KnowledgeBase(path)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
