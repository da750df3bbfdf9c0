"""Which files a path of the site is written as."""

from __future__ import annotations

from errdex_site import addresses

_PACKED_TYPES = (".html", ".json", ".xml", ".txt", ".css", ".js", ".svg")


def files_of(path: str, packed: bool) -> list[str]:
    """The files that are written for a path: its own, and perhaps that in gzip."""
    file = addresses.file_of(path)
    if path == addresses.INDEX or not packed or not file.endswith(_PACKED_TYPES):
        return [file]  # the index in gzip is a file of the dataset, which its manifest describes
    return [file, f"{file}.gz"]


def is_page(path: str) -> bool:
    """Whether people look at it."""
    return path.endswith(("/", ".html"))
