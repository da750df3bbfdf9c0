"""Several processes that answer on one socket, so that more than one core is used."""

from __future__ import annotations

import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.context import ForkProcess
from threading import Thread
from types import FrameType

_PAUSE = 1.0
"""Seconds before a worker that died is replaced, so that a broken one does not spin."""

log = logging.getLogger("errdex")


def run_workers(count: int, serve: Callable[[], None]) -> None:
    """Run `serve` in `count` processes, and replace those that die, until we are told to end.

    Nothing may have started a thread before. Raises KeyboardInterrupt when interrupted.
    """
    asked: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        asked.append(number)

    fork = multiprocessing.get_context("fork")
    workers = [_start(fork.Process(target=_work, args=(serve,))) for _ in range(count)]
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, note)
    while not asked:
        multiprocessing.connection.wait([worker.sentinel for worker in workers], timeout=0.5)
        for at, worker in enumerate(workers):
            if not worker.is_alive() and not asked:
                log.error("a worker died (exit code %s); another takes its place", worker.exitcode)
                time.sleep(_PAUSE)
                workers[at] = _start(fork.Process(target=_work, args=(serve,)))
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join()
    if signal.SIGINT in asked:
        raise KeyboardInterrupt


def _start(worker: ForkProcess) -> ForkProcess:
    worker.start()
    return worker


def _work(serve: Callable[[], None]) -> None:
    """One worker. Ctrl-C reaches all processes of a terminal; it is the parent's to tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(KeyboardInterrupt):
        serve()


def _end_with_parent() -> None:
    """A parent that was killed outright could tell nobody to end."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
