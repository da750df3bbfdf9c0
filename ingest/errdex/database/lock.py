"""One import at a time: a lock file beside the database, held while one runs."""

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
    deadline = time.monotonic() + patience
    while True:
        try:
            held = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        except OSError as problem:
            raise DatabaseUnwritable(path=path, reason=problem.strerror) from None
        if _take(held) and _still_named(held, lock):
            break
        os.close(held)
        if time.monotonic() > deadline:
            raise DatabaseBusy(path=path)
        time.sleep(_PAUSE)
    try:
        yield
    finally:
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
