"""Several processes that answer on one socket, so that more than one core is used.

There are two generations. The first answers at once with what little is imported by then.
Meanwhile their parent imports the rest, which takes several times as long, and forks the
second one: it shares the memory of all that. Then the first one ends what it has begun.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from multiprocessing.process import BaseProcess
from threading import Thread
from types import FrameType

_ENDING = (signal.SIGINT, signal.SIGTERM)
RETIRE = signal.SIGUSR1
"""Tells a worker to take no more connections, and to end when it has answered those it has."""

_FIRST_SECONDS = 1.0
"""For how long the first generation has the machine to itself, for the first answers."""
_PAUSE = 1.0
"""Seconds before a worker that died is replaced, so that a broken one does not spin."""
_END_SECONDS = 15
"""A worker that is told to end and does not is killed; answers under way get five seconds."""
_READY_SECONDS = 60
"""A new generation that is not ready by then is given up."""

log = logging.getLogger("errdex")

Ready = Callable[[], None]
Serve = Callable[[int, Ready], None]
"""Serves, and calls what it is given when it can be asked. The number is its place: no two
that run at a time have the same, and each is below twice the count of the workers."""


class _Told(SystemExit):
    """We are told to end."""


@dataclass(frozen=True)
class _Worker:
    process: ForkProcess
    ready: Connection
    """Can be read from when the worker is ready, or dead."""
    place: int


def run_workers(count: int, first: Serve, load: Callable[[], Serve]) -> None:
    """Run `first` in `count` processes; then `load` here, and run what it gives in theirs.

    Workers that die are replaced until we are told to end. Nothing may have started a thread
    before, nor may `load`; when it fails, the first generation goes on. Raises
    KeyboardInterrupt when interrupted.
    """
    asked: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        asked.append(number)
        if len(asked) == 1:
            raise _Told

    for number in _ENDING:
        signal.signal(number, note)
    workers = _Workers()
    with suppress(_Told):
        workers.become(first, count)
        workers.watch(_FIRST_SECONDS)
        try:
            workers.become(_loaded(load), count)
        except Exception:  # a plugin of Datasette may raise anything
            log.exception("the workers stay as they were started")
        workers.watch()
    workers.end()
    if signal.SIGINT in asked:
        raise KeyboardInterrupt


def _loaded(load: Callable[[], Serve]) -> Serve:
    """What `load` gives. The collector then leaves it alone: looking at an object writes to
    it, and what is written to is shared no longer."""
    gc.disable()
    try:
        serve = load()
    finally:
        gc.enable()
    gc.collect()
    gc.freeze()
    return serve


class _Workers:
    """The processes of a generation, and those of the one before that have not ended yet."""

    def __init__(self) -> None:
        self._serve: Serve
        self._serving: list[_Worker] = []
        self._retired: list[_Worker] = []

    def become(self, serve: Serve, count: int) -> None:
        """Start a generation; when all of it is ready, the one before it is retired."""
        before = self._serving
        first = 0 if before and before[0].place else count
        newcomers = [_start(serve, place) for place in range(first, first + count)]
        if before and not _all_ready(newcomers):
            _terminate(worker.process for worker in newcomers)
            log.error("the next workers did not start; those of the start go on")
            return
        self._serve, self._serving, self._retired = serve, newcomers, before
        for worker in before:
            _tell(worker, RETIRE)

    def watch(self, seconds: float | None = None) -> None:
        """Replace those that die, for so long."""
        ends = None if seconds is None else time.monotonic() + seconds
        while (left := None if ends is None else ends - time.monotonic()) is None or left > 0:
            everyone = self._serving + self._retired
            multiprocessing.connection.wait([one.process.sentinel for one in everyone], left)
            self._retired = [one for one in self._retired if one.process.is_alive()]
            for at, worker in enumerate(self._serving):
                if not worker.process.is_alive():
                    code = worker.process.exitcode
                    log.error("a worker died (exit code %s); another takes its place", code)
                    time.sleep(_PAUSE)
                    self._serving[at] = _start(self._serve, worker.place)

    def end(self) -> None:
        """End them all, and wait for it."""
        _terminate(multiprocessing.active_children())


def _start(serve: Serve, place: int) -> _Worker:
    ready, ours = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_work, args=(serve, place, ours))
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # until the worker has handlers of its own
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    ours.close()  # the worker's end is the only one now: it closes with the worker
    return _Worker(process, ready, place)


def _all_ready(workers: Iterable[_Worker]) -> bool:
    """Whether all of them become ready."""
    ends = time.monotonic() + _READY_SECONDS
    for worker in workers:
        if not worker.ready.poll(max(0, ends - time.monotonic())):
            return False
        try:
            worker.ready.recv()
        except EOFError:  # it died
            return False
    return True


def _terminate(processes: Iterable[BaseProcess]) -> None:
    ending = list(processes)
    for process in ending:
        process.terminate()
    ends = time.monotonic() + _END_SECONDS
    for process in ending:
        process.join(max(0, ends - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join()


def _tell(worker: _Worker, number: int) -> None:
    with suppress(ProcessLookupError):
        if worker.process.pid is not None and worker.process.is_alive():
            os.kill(worker.process.pid, number)


def _work(serve: Serve, place: int, ready: Connection) -> None:
    """One worker. Ctrl-C reaches all processes of a terminal; it is the parent's to tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(KeyboardInterrupt):
        serve(place, lambda: ready.send(True))


def _end_with_parent() -> None:
    """A parent that was killed outright could tell nobody to end."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
