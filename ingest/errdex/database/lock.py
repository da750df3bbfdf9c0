"""One import, or one build of a folder, at a time: a lock file that is held while it runs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from errdex.errors import DatabaseBusy, DatabaseUnwritable

PATIENCE = 60.0
"""Seconds that an import waits for another one."""

_PAUSE = 0.05


@contextmanager
def import_lock(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock of the database at `path`; the system frees it if the process dies.

    Raises DatabaseBusy when another import holds it for longer than `patience` seconds,
    DatabaseUnwritable when the lock file cannot be made.
    """
    lock = path.with_name(f".{path.name}.lock")
    try:
        held = take(lock, patience)
    except OSError as problem:
        raise DatabaseUnwritable(path=path, reason=problem.strerror) from None
    if held is None:
        raise DatabaseBusy(path=path)
    try:
        yield
    finally:
        give_back(held, lock)


def take(lock: Path, patience: float) -> int | None:
    """Hold a lock file, or None when another process holds it for longer than `patience`
    seconds. The system frees it if this process dies. Raises OSError when it cannot be made."""
    deadline = time.monotonic() + patience
    while True:
        held = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        if _take(held) and _still_named(held, lock):
            return held
        os.close(held)
        if time.monotonic() > deadline:
            return None
        time.sleep(_PAUSE)


def give_back(held: int, lock: Path) -> None:
    """Free what `take` gave, and remove the file."""
    if sys.platform == "win32":
        os.close(held)
    lock.unlink(missing_ok=True)
    if sys.platform != "win32":
        os.close(held)


def _still_named(held: int, lock: Path) -> bool:
    """False if the holder before us removed the file that we now hold."""
    try:
        return os.path.samestat(os.fstat(held), lock.stat())
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _take(held: int) -> bool:
        try:
            msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(held: int) -> bool:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
