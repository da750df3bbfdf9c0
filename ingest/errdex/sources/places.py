"""What a person names → the files that are meant."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator
from pathlib import Path

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
        path = Path(name)
        if name == "-":
            yield Feed(name, progress=progress)
        elif path.is_dir():
            for file in _files_under(path):
                yield Feed(file, may_be_empty=True, progress=progress)
        elif path.exists() or not glob.has_magic(name):
            yield Feed(name, progress=progress)
        else:
            found = sorted(glob.glob(name, recursive=True))  # noqa: PTH207  # may be absolute
            if not found:
                raise SourceMissing(source=name)
            for feed in feeds_of(found, progress):
                feed.may_be_empty = True
                yield feed


def _files_under(folder: Path) -> Iterator[str]:
    try:
        paths = sorted(path for path in folder.rglob("*") if _holds_records(path, folder))
    except OSError as problem:
        raise SourceUnreadable(source=folder, reason=problem.strerror) from None
    if not paths:
        raise FolderWithoutRecords(folder=folder)
    yield from map(str, paths)


def _holds_records(path: Path, folder: Path) -> bool:
    """True if the name is that of a file of records."""
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    named_so = path.name.lower().endswith(_ENDINGS) and not path.name.endswith(_REJECTS)
    return named_so and not hidden and path.is_file()
