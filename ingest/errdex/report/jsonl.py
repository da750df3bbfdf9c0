"""Format `jsonl`: one JSON object a line, as soon as it is known.

A paste: a match a line. A log: a distinct error a line, with its matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from errdex.report.json import encoded, match_values, sighting_value
from errdex.report.sighting import Setting, Sighting


def write(sightings: Iterable[Sighting], setting: Setting) -> Iterator[str]:
    """The lines."""
    for sighting in sightings:
        found = [sighting_value(sighting, setting)] if setting.log else None
        for value in found or match_values(sighting, setting):
            yield encoded(value).decode() + "\n"
