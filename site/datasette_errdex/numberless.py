"""Keeps numpy out of a service, which has no use for it.

Datasette brings a library of units that takes numpy where it is there: a fifth of a second,
12 MB, and threads, which must not be before workers are forked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import cast


@contextmanager
def without_numpy() -> Iterator[None]:
    """What is imported inside finds no numpy; where it is imported already, nothing is done."""
    if "numpy" in sys.modules:
        yield
        return
    modules = cast("dict[str, ModuleType | None]", sys.modules)
    modules["numpy"] = None  # importing it then fails, as if it were not installed
    try:
        yield
    finally:
        del modules["numpy"]
