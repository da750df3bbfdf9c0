"""What one import did, in numbers and in the first few cases of each kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from errdex.faults import shown
from errdex.sources import Line

FEW = 10
"""Cases that are kept to be shown; all rejects are in the rejects file."""

MANY = 100
"""Names of unknown fields that are kept to be shown."""


@dataclass
class Summary:
    """Every record that was read is counted once: read = loaded + unchanged + rejected."""

    read: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    """Those whose content stood there already, and those older than what stands there."""
    older: int = 0
    """Of the unchanged, those that lost against a newer version of themselves."""
    rejected: int = 0
    retired: int = 0
    """Errors, not records that were read: their repo's newest analysis has them no more."""
    notes: int = 0
    first_rejects: list[str] = field(default_factory=list)
    first_notes: list[str] = field(default_factory=list)
    unknown_fields: set[str] = field(default_factory=set)
    """Names of fields that schemaVersion 2 does not name; at most MANY."""

    @property
    def loaded(self) -> int:
        """Records that were new or changed something."""
        return self.added + self.changed

    @property
    def shown_unknown(self) -> list[str]:
        """The unknown fields by name, as they may be shown."""
        return [shown(name) for name in sorted(self.unknown_fields)]

    def know(self, extra: Iterable[str]) -> None:
        """Keep the names of unknown fields."""
        if len(self.unknown_fields) < MANY:
            self.unknown_fields.update(extra)

    def reject(self, line: Line, faults: list[str]) -> None:
        """Count a record that is not well-formed."""
        self.rejected += 1
        if len(self.first_rejects) < FEW:
            self.first_rejects.append(sentence(line, faults))

    def note(self, line: Line, what: str) -> None:
        """Keep something that was resolved by a rule, and that a person may want to know."""
        self.notes += 1
        if len(self.first_notes) < FEW:
            self.first_notes.append(f"{line.place}: {what}")


def sentence(line: Line, faults: list[str]) -> str:
    """`data/x.jsonl:12: expected …; expected …`"""
    return f"{line.place}: {'; '.join(faults)}"
