"""What a person names → the files that are meant."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from errdex.errors import FolderWithoutRecords, SourceMissing, SourceUnreadable
from errdex.sources.feed import Feed, Progress

_PLAIN = (".jsonl", ".ndjson", ".json")
_PACKED = ("", ".gz", ".zst", ".bz2", ".xz")
_ENDINGS = tuple(plain + packed for plain in _PLAIN for packed in _PACKED)
_REJECTS = ".rejects.jsonl"


def feeds_of(names: Iterable[str], progress: Progress | None = None) -> Iterator[Feed]:
    """The files behind files, folders and globs, in order; `-` is standard input.

    A folder stands for the files of records under it, by name, but for hidden ones and
    the rejects of earlier imports. Raises SourceMissing or FolderWithoutRecords.
    """
    for name in names:
        try:
            kind = _kind(name)
        except OSError as problem:
            raise SourceUnreadable(source=name, reason=problem.strerror) from None
        if kind == "folder":
            for file in _files_under(Path(name)):
                yield _feed(file, progress, may_be_empty=True)
        elif kind == "file":
            yield _feed(name, progress)
        else:
            found = sorted(glob.glob(name, recursive=True))  # noqa: PTH207  # may be absolute
            if not found:
                raise SourceMissing(source=name)
            for feed in feeds_of(found, progress):
                feed.may_be_empty = True
                yield feed


def _kind(name: str) -> Literal["file", "folder", "glob"]:
    """What a name stands for; a file need not be there. Raises OSError."""
    path = Path(name)
    if name == "-" or not (path.exists() or glob.has_magic(name)):
        return "file"
    if path.is_dir():
        return "folder"
    return "file" if path.exists() else "glob"


def _feed(name: str, progress: Progress | None, *, may_be_empty: bool = False) -> Feed:
    """A file by its name; where that is not UTF-8, it is called by one that is."""
    called = as_text(name)
    path = Path(name) if called != name else None
    return Feed(called, path=path, may_be_empty=may_be_empty, progress=progress)


def as_text(name: str) -> str:
    """The name of a file as it may be shown and stored: bytes that are not UTF-8 as `\\xff`."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _files_under(folder: Path) -> Iterator[str]:
    def refuse(problem: OSError) -> None:
        raise problem  # what cannot be looked at may hold records

    try:
        paths = sorted(
            path
            for place, _, names in os.walk(folder, onerror=refuse)
            for name in names
            if _holds_records(path := Path(place, name), folder)
        )
    except OSError as problem:
        source = problem.filename or folder
        raise SourceUnreadable(source=source, reason=problem.strerror) from None
    if not paths:
        raise FolderWithoutRecords(folder=folder)
    yield from map(str, paths)


def _holds_records(path: Path, folder: Path) -> bool:
    """True if the name is that of a file of records."""
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    named_so = path.name.lower().endswith(_ENDINGS) and not path.name.endswith(_REJECTS)
    return named_so and not hidden and path.is_file()
