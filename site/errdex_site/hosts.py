"""What a build made, in figures, and which well-known hosts would not take it."""

from __future__ import annotations

from typing import NamedTuple

from errdex_site.ledger import Totals

_GIGABYTE = 10**9
_MEBIBYTE = 2**20


class Summary(NamedTuple):
    """What stands there now, and what the build did."""

    pages: int
    """HTML pages."""
    files: int
    bytes: int
    """Without the packed copies."""
    largest: int
    """Bytes of the largest page."""
    largest_path: str
    limits: list[str]
    """A sentence for each well-known host that would not take it."""
    written: int
    removed: int


def sum_up(totals: Totals, written: int, removed: int) -> Summary:
    """The summary of a site with these totals."""
    limits = _limits(totals.files, totals.folders, totals.bytes, totals.largest_file)
    return Summary(
        totals.pages,
        totals.files,
        totals.bytes,
        totals.largest,
        totals.largest_path,
        limits,
        written,
        removed,
    )


def _limits(files: int, folders: int, size: int, largest: int) -> list[str]:
    found = []
    if size > _GIGABYTE:
        found.append(f"GitHub Pages takes 1 GB a site; this one has {size / _GIGABYTE:.1f} GB.")
    if files > 20_000:
        found.append(f"Cloudflare Pages takes 20,000 files a site; this one has {files:,}.")
    if largest > 25 * _MEBIBYTE:
        found.append(
            f"Cloudflare Pages takes 25 MiB a file; the largest has {largest / _MEBIBYTE:.0f} MiB."
        )
    if files + folders > 200_000:
        found.append(f"GitLab Pages takes 200,000 entries; this one has {files + folders:,}.")
    return found
