"""What a build made, in figures, and which well-known hosts would not take it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from errdex_site.ledger import Line
from errdex_site.worker import files_of, is_page

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


def sum_up(lines: Iterable[Line], packed: bool, written: int, removed: int) -> Summary:
    """The summary of a ledger."""
    pages = files = folders = size = 0
    largest_file = 0
    largest, largest_path = 0, "/"
    for line in lines:
        size += line.size
        largest_file = max(largest_file, line.largest)
        if line.page > largest:
            largest, largest_path = line.page, line.paths[0]
        for path in line.paths:
            pages += is_page(path)
            folders += path.endswith("/")
            files += len(files_of(path, packed))
    limits = _limits(files, folders, size, largest_file)
    return Summary(pages, files, size, largest, largest_path, limits, written, removed)


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
