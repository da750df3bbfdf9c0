"""How far an import is: a bar on a terminal, nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_SHORTEST = 8 << 20
"""Bytes; what is read in a moment needs no bar."""


@contextmanager
def shown_progress(sources: Sequence[str]) -> Iterator[Callable[[int], None] | None]:
    """A function that is told how many more bytes were read; None where nothing is shown."""
    total = sum(map(_bytes, sources))
    if not sys.stderr.isatty() or total < _SHORTEST:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    columns = ("[progress.description]{task.description}", BarColumn(), DownloadColumn())
    bar = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
    with bar:
        task = bar.add_task("Reading", total=total)
        yield lambda size: bar.advance(task, size)


def _bytes(source: str) -> int:
    """Bytes of a file or of all files in a folder; 0 for what cannot be told."""
    path = Path(source)
    try:
        if path.is_dir():
            return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
