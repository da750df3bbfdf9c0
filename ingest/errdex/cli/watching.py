"""A log as it grows → the errors in it, as they appear."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from errdex.bulk.block import SHOWN
from errdex.bulk.exact import Asked, ExactMatcher
from errdex.bulk.filed import Filed
from errdex.database.connection import open_for_reading
from errdex.events import Event, Grouper
from errdex.follow import POLL_SECONDS, follow
from errdex.report.reporter import Wanted
from errdex.report.sighting import Sighting

QUIET_SECONDS = 1.0
"""An event ends when nothing has come for so long."""


def watch(path: Path, database: Path, wanted: Wanted) -> Iterator[Sighting]:
    """Each event that is an error, as it comes, without an end.

    Counts tell how often the same error came since the start.
    """
    connection = open_for_reading(database)
    matcher = ExactMatcher(connection, Filed(connection), Asked(*wanted))
    counts: dict[str, int] = {}
    try:
        for event in _events(path):
            answer = matcher.answer(event.text)
            if answer is None:
                continue
            best = answer.matches[0].id
            counts[best] = counts.get(best, 0) + 1
            yield Sighting(
                event.text[:SHOWN], answer, str(path), event.line, event.line, counts[best]
            )
    finally:
        connection.close()


def _events(path: Path) -> Iterator[Event]:
    grouper = Grouper()
    quiet = 0.0
    for line in follow(path, wait=time.sleep):
        if line is not None:
            quiet = 0.0
            text = line.data.removesuffix(b"\r").decode("utf-8", "replace")
            ended = grouper.add(line.number, text)
        else:
            quiet += POLL_SECONDS
            ended = grouper.end() if quiet >= QUIET_SECONDS else None
        if ended is not None:
            yield ended
