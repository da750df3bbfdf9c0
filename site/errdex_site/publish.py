"""A build's folder: everything is written beside it, then put in its place.

A first build, or one that changes everything, fills a new folder and swaps the two. A build
that changes little lists its changes in a journal and then carries them out; when it is
killed before the journal is whole, nothing has happened, and when it is killed after, the
next build carries out the rest first.

    .NAME.errdex-new/   the new folder, or the changed files and their journal
    .NAME.errdex-old/   the old folder, while the two are swapped
    .NAME.errdex-lock   held while a build runs, so that another one waits
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from errdex.database.lock import PATIENCE, give_back, take
from errdex.errors import FolderForeign, FolderUnwritable
from errdex_site import ledger

_JOURNAL = ".errdex-journal"
_END = "end\n"


class Target:
    """The folder that a build fills."""

    def __init__(self, folder: Path) -> None:
        """Raises FolderForeign or FolderUnwritable; changes nothing that is not ours."""
        self.folder = folder.absolute()
        beside = self.folder.parent
        self.staging = beside / f".{self.folder.name}.errdex-new"
        self._old = beside / f".{self.folder.name}.errdex-old"
        with _sentences(self.folder):
            beside.mkdir(parents=True, exist_ok=True)
            self._recover()
            _check_ours(self.folder)
            self.staging.mkdir()

    @property
    def head(self) -> ledger.Head | None:
        """Of the site that stands there; None for a new folder."""
        return ledger.read_head(self.folder)

    def discard(self) -> None:
        """Leave the folder as it is."""
        shutil.rmtree(self.staging, ignore_errors=True)

    def swap(self) -> None:
        """Put what was written in the folder's place."""
        with _sentences(self.folder):
            if self.folder.exists():
                self.folder.rename(self._old)
            self.staging.rename(self.folder)
            shutil.rmtree(self._old, ignore_errors=True)

    def apply(self, written: Iterable[str], removed: Iterable[str]) -> None:
        """Move the written files over the folder's, and remove others. Paths are of files,
        relative to the folder; the new ledger, which is among the written, moves last."""
        with _sentences(self.folder):
            with (self.staging / _JOURNAL).open("w", encoding="utf-8") as journal:
                journal.writelines(f"+{file}\n" for file in written)
                journal.writelines(f"-{file}\n" for file in removed)
                journal.write(f"+{ledger.NAME}\n{_END}")
                journal.flush()
                os.fsync(journal.fileno())
            self._carry_out()

    def _carry_out(self) -> None:
        """Do what the journal says; what is done already is passed over."""
        with (self.staging / _JOURNAL).open(encoding="utf-8") as journal:
            for line in journal:
                if line == _END:
                    break
                file = self.folder / line[1:-1]
                if line[0] == "-":
                    file.unlink(missing_ok=True)
                    _remove_empty(file.parent, self.folder)
                else:
                    _move(self.staging / staged_name(line[1:-1]), file)
        shutil.rmtree(self.staging)

    def _recover(self) -> None:
        """Finish, or clear away, what an interrupted build left."""
        if self._old.exists():
            if self.folder.exists():
                shutil.rmtree(self._old)
            else:
                self._old.rename(self.folder)
        journal = self.staging / _JOURNAL
        if journal.exists() and journal.read_text(encoding="utf-8").endswith("\n" + _END):
            self._carry_out()
        elif self.staging.exists():
            shutil.rmtree(self.staging)


def staged_name(file: str) -> str:
    """What a changed file is called among the others until it is moved to its place: they stand
    in one folder, as the folders of few files would take as long to make as the files."""
    return file if file == ledger.NAME else f"{ledger.name_hash(file):016x}"


def _move(staged: Path, file: Path) -> None:
    """Put a file in its place, unless that is done."""
    for _ in range(2):
        try:
            staged.replace(file)
        except FileNotFoundError:
            if not staged.exists():
                return
            file.parent.mkdir(parents=True, exist_ok=True)
        else:
            return


@contextmanager
def one_build(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Keep other builds of the folder waiting. Raises FolderUnwritable after `patience` seconds."""
    folder = folder.absolute()
    lock = folder.with_name(f".{folder.name}.errdex-lock")
    with _sentences(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        held = take(lock, patience)
    if held is None:
        raise FolderUnwritable(path=folder, reason="another build is writing it")
    try:
        yield
    finally:
        give_back(held, lock)


def _check_ours(folder: Path) -> None:
    if not folder.exists() or ledger.is_ours(folder):
        return
    example = min(folder.iterdir(), default=None)
    if example is not None:
        raise FolderForeign(path=folder, example=example.name)
    folder.rmdir()


def _remove_empty(folder: Path, stop: Path) -> None:
    while folder != stop and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


@contextmanager
def _sentences(folder: Path) -> Iterator[None]:
    """File system errors as ours."""
    try:
        yield
    except OSError as problem:
        raise FolderUnwritable(path=folder, reason=problem.strerror or problem) from None
