"""A command run with its output passed through as it comes, and the end of it kept.

Where ours is a terminal, the command gets a terminal too, so that it colors and flushes
as without us; else it gets a pipe. Input and the controlling terminal stay its own.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
from collections.abc import Iterator, Sequence
from io import FileIO
from types import FrameType
from typing import NamedTuple, cast

KEPT = 1 << 20
"""Bytes of the output that are kept, at least."""
_CHUNK = 1 << 16
_LOOK_SECONDS = 0.2
"""How often it is looked whether the command has ended while it writes nothing."""
_FORWARDED = ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
_FROM_TERMINAL = ("SIGINT", "SIGQUIT")
"""The terminal sends these to the command as well: it decides what they mean."""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    """Its exit code; 128 and the signal's number if a signal ended it, as shells tell it."""
    output: bytes
    """The end of what it wrote, standard output and standard error as they came."""
    signal_number: int = 0
    """The number of the signal that ended it, if one did."""

    @property
    def told(self) -> str:
        """How it ended, for people: `exit code 7`, or `ended by SIGKILL`."""
        if not self.signal_number:
            return f"exit code {self.code}"
        try:
            return f"ended by {signal.Signals(self.signal_number).name}"
        except ValueError:  # a real-time signal
            return f"ended by signal {self.signal_number}"


def run(command: Sequence[str], out: int = 1, err: int = 2) -> Ended:
    """Run the command; what it writes goes to the file descriptors `out` and `err`.

    Raises OSError if it cannot be started. Signals that ask us to end go on to it.
    """
    with contextlib.ExitStack() as opened:
        out_end, out_far = _channel(out, opened)
        shared = os.isatty(out) and os.isatty(err)
        err_end, err_far = (out_end, out_far) if shared else _channel(err, opened)
        with _handed_on() as child:
            process = subprocess.Popen(command, stdout=out_far, stderr=err_far)  # noqa: S603
            child.append(process)
            for far in {out_far, err_far}:
                os.close(far)
            kept = _pass_on({out_end: out, err_end: err}, process)
            code = process.wait()
    return Ended(code, kept) if code >= 0 else Ended(128 - code, kept, signal_number=-code)


def _channel(ours: int, opened: contextlib.ExitStack) -> tuple[FileIO, int]:
    """Our end and the command's end of what replaces one of our outputs.

    Our end is closed with `opened`, the other by the caller.
    """
    if not os.isatty(ours):
        end, far = os.pipe()
        return opened.enter_context(FileIO(end)), far
    import pty
    import termios

    end, far = pty.openpty()
    file = opened.enter_context(FileIO(end))
    with contextlib.suppress(OSError, termios.error):
        settings = termios.tcgetattr(far)
        settings[1] &= ~termios.OPOST  # the real terminal turns line feeds, once is enough
        termios.tcsetattr(far, termios.TCSANOW, settings)
        termios.tcsetwinsize(far, termios.tcgetwinsize(ours))
        opened.enter_context(_resized(ours, end))
    return file, far


def _pass_on(outputs: dict[FileIO, int], process: subprocess.Popen[bytes]) -> bytes:
    """Copy each source to its target until all have ended; what was copied last."""
    kept = bytearray()
    with selectors.DefaultSelector() as selector:
        for source in outputs:
            selector.register(source, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(_LOOK_SECONDS)
            if not ready and process.poll() is not None:
                break  # what is still open belongs to something that it left behind
            for key, _ in ready:
                source = cast("FileIO", key.fileobj)
                try:
                    data = source.read(_CHUNK) or b""
                except OSError:  # how a terminal tells that its other end is closed
                    data = b""
                kept += data
                if not data or not _write(outputs[source], data):
                    selector.unregister(source)
                    source.close()  # so that the command notices, too, if nobody reads it
                if len(kept) > 2 * KEPT:
                    del kept[:-KEPT]
    return bytes(kept)


def _write(target: int, data: bytes) -> bool:
    """Write all of it; False if nobody reads there any more."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(target, rest) :]
        except BrokenPipeError:
            return False
    return True


@contextlib.contextmanager
def _handed_on() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Signals go on to the processes of the list until the end of the block."""
    children: list[subprocess.Popen[bytes]] = []

    def hand_on(number: int, _frame: FrameType | None) -> None:
        for child in children:
            child.send_signal(number)

    before = {}
    for name in (*_FORWARDED, *_FROM_TERMINAL):
        if (number := getattr(signal, name, None)) is not None:
            handler = hand_on if name in _FORWARDED else _nothing
            before[number] = signal.signal(number, handler)
    try:
        yield children
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """Unlike SIG_IGN, this is not inherited by the command."""


@contextlib.contextmanager
def _resized(ours: int, end: int) -> Iterator[None]:
    """Our terminal's size is told to the command's whenever it changes."""
    import termios

    def resize(_number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(OSError, termios.error):
            termios.tcsetwinsize(end, termios.tcgetwinsize(ours))

    before = signal.signal(signal.SIGWINCH, resize)
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)
