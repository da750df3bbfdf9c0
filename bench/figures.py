"""What every benchmark gives back: its figures, each beside its reference and its target."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Figure(NamedTuple):
    """One line of the table in `docs/benchmarks.md`."""

    name: str
    ours: str
    """With its unit."""
    reference: str = ""
    """What it is compared with, and what that took in the same run."""
    ratio: str = ""
    target: str = ""
    held: bool | None = None
    """None where there is no target."""


HEAD = "| figure | errdex | beside | ratio | target | held |\n|---|---|---|---|---|---|\n"


def table(figures: Iterable[Figure]) -> str:
    """The figures as Markdown."""
    words = {True: "yes", False: "**no**", None: ""}
    rows = ((*figure[:5], words[figure.held]) for figure in figures)
    return HEAD + "".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows
    )


def ratio_of(name: str, ours: float, reference: float, beside: str, limit: float) -> Figure:
    """Seconds against seconds of a reference: at most `limit` times as many."""
    found = ours / reference
    return Figure(
        name,
        f"{ours:.2f} s",
        f"{beside}: {reference:.2f} s",
        f"{found:.3f}",
        f"at most {limit:.3f}".rstrip("0"),
        found <= limit,
    )


def database_of(records: Path) -> Path:
    """A database of the records in the folder for temporary files, made once, and again when
    the records are newer."""
    mark = hashlib.sha256(str(records.resolve()).encode()).hexdigest()[:8]
    database = Path(tempfile.gettempdir()) / f"errdex-bench-{records.stem}-{mark}.db"
    if not database.exists() or database.stat().st_mtime < records.stat().st_mtime:
        database.unlink(missing_ok=True)
        command = [sys.executable, "-m", "errdex", "ingest", str(records), "--db", str(database)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return database
