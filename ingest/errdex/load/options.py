"""How a person wants an import to go."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Options:
    """How to import."""

    rejects: Path | None = None
    """Where faulty records go; None stands for `<database>.rejects.jsonl`."""
    strict: bool = False
    """Stop at the first faulty record, and load nothing."""
    force: bool = False
    """Let older records overwrite newer ones."""
    dry_run: bool = False
    """Find out what would change, and change nothing."""
    complete: bool = False
    """The sources hold every record that their repos have: retire those that are absent."""
    bulk: int = 5000
    """Lines from which on the first import into a new database uses a second process."""

    def rejects_path(self, database: Path) -> Path:
        """Where faulty records go."""
        return self.rejects or database.with_name(f"{database.name}.rejects.jsonl")
