"""Two records of one repo that want one slug: both stay, the newer one gets it."""

from __future__ import annotations

from errdex.database.schema import RECORD_COLUMNS
from errdex.database.writing import Store
from errdex.database.written import FIRST_COLUMNS, Row
from errdex.load.read import Read
from errdex.load.summary import Summary
from errdex.load.versions import is_older_state

_LONGEST = 200
REPO, SLUG = (len(FIRST_COLUMNS) + RECORD_COLUMNS.index(name) for name in ("repo", "slug"))
"""Where they stand in a Row."""


def with_free_slug(store: Store, summary: Summary, read: Read, row: Row) -> Row:
    """The row with the slug that it may have; another error may be renamed for it."""
    number, repo, slug = int(str(row[0])), str(row[REPO]), read.record.slug
    rival = store.by_slug(repo, slug)
    if rival is None or rival.number == number:
        return row
    record_id = read.record.id
    if is_older_state(rival.seen_version, rival.analyzed_at, read.version, read.record.analyzed_at):
        moved = _free_slug(store, repo, slug, rival.id, rival.number)
        store.rename(rival.number, moved)
        summary.note(
            read.line, f"slug {slug} goes to {record_id}, the newer one; {rival.id} is now {moved}"
        )
        return row
    moved = _free_slug(store, repo, slug, record_id, number)
    summary.note(read.line, f"slug {slug} stays with {rival.id}; {record_id} is filed as {moved}")
    return (*row[:SLUG], moved, *row[SLUG + 1 :])


def _free_slug(store: Store, repo: str, slug: str, record_id: str, number: int) -> str:
    """`slug-` and the beginning of the id, or more where that is taken too."""
    ends = [record_id[:8], record_id, *(f"{record_id}-{n}" for n in range(2, 1000))]
    for end in ends:
        free = f"{slug[: _LONGEST - len(end) - 1].rstrip('-')}-{end}"
        rival = store.by_slug(repo, free)
        if rival is None or rival.number == number:
            return free
    raise AssertionError("a thousand records hold the slugs made of one id")
