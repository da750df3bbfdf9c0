"""What matching found, written out: one module an output format.

Each has `write(sightings, setting)`, which gives the output in pieces as the sightings
come. Nothing of a text or a record reaches the output unescaped, and credentials in
what is quoted of the text are masked.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from errdex.report.sighting import Setting, Sighting

FORMATS = ("text", "json", "jsonl", "markdown", "github", "sarif")
"""Every format is the module of that name in this package."""


class Write(Protocol):
    """How every format is called."""

    def __call__(self, sightings: Iterable[Sighting], setting: Setting, /) -> Iterator[str]: ...


def writer(form: str) -> Write:
    """The function that writes the format, imported only now."""
    return cast("Write", importlib.import_module(f"errdex.report.{form}").write)
