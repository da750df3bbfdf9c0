"""A second process for a large import: it files patterns, full text and origins in files of
their own, while the first one reads records and writes them.

A plain subprocess that speaks pickle over its pipes: `multiprocessing` would run the
caller's main module again.
"""

from __future__ import annotations

import gc
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from errdex.database.aside import Aside, Places, Source, Text, TextsAside
from errdex.errors import ImportBroken
from errdex.match.filing import IndexWriter

if sys.platform == "linux":
    import fcntl

_PIPE_BYTES = 1 << 20
_CODE = "from errdex.load.beside import serve; serve()"


class SecondProcess:
    """What the first process knows of the second one.

    Requests are answered in order; `ask` does not wait, `numbers` does. Every method may
    raise ImportBroken.
    """

    def __init__(self, places: Places, import_number: int) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # our own code
            [sys.executable, "-c", _CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        _widen(self._process.stdin)
        self._send(([*map(str, places)], import_number))

    def ask(self, patterns: list[str], texts: list[Text], origins: list[Source]) -> None:
        """Have patterns filed, and the texts and origins of their errors; `numbers` answers."""
        self._send((patterns, texts, origins))

    def numbers(self) -> list[int]:
        """The number of each pattern of the oldest request that is not answered."""
        try:
            answer = pickle.load(self._process.stdout)  # type: ignore[arg-type]  # noqa: S301  # our own
        except (EOFError, OSError, pickle.UnpicklingError):
            raise ImportBroken(reason="its second process ended") from None
        if isinstance(answer, str):
            raise ImportBroken(reason=answer)
        found: list[int] = answer
        return found

    def end(self) -> None:
        """Say that all is asked for."""
        self._send(None)

    def wait_for_texts(self) -> None:
        """Wait until texts and origins are written, and their file is closed."""
        self.numbers()

    def wait_for_patterns(self) -> None:
        """Wait, after that, until the patterns are."""
        self.numbers()
        self._process.wait()

    def stop(self) -> None:
        """End the process, whatever it does; it may have ended already."""
        self._process.kill()
        self._process.communicate()

    def _send(self, message: object) -> None:
        pipe = self._process.stdin
        try:
            pickle.dump(message, pipe, pickle.HIGHEST_PROTOCOL)  # type: ignore[arg-type]  # a pipe
            pipe.flush()  # type: ignore[union-attr]  # as above
        except OSError:
            while True:  # what it said last, behind the answers that nobody waited for
                self.numbers()


def _widen(pipe: IO[bytes] | None) -> None:
    """Let some batches wait in the pipe, where the system allows it."""
    if sys.platform == "linux" and pipe is not None:
        with suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def serve() -> None:
    """The second process: serves requests until the first one is done or gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process stops us
    gc.disable()  # millions of rows pass, and none of them is part of a cycle
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    try:
        places, number = pickle.load(requests)  # noqa: S301  # from our own first process
    except EOFError:
        return
    files = Places(*map(Path, places))
    try:
        _serve(requests, answers, files, number)
    except (EOFError, BrokenPipeError, pickle.UnpicklingError):  # the first process is gone
        for file in files:
            file.unlink(missing_ok=True)
    except Exception as problem:  # told where it can be shown
        pickle.dump(f"{type(problem).__name__}: {problem}", answers)
        answers.flush()


def _serve(requests: IO[bytes], answers: IO[bytes], files: Places, import_number: int) -> None:
    texts, patterns = TextsAside(files.texts, import_number), Aside(files.patterns)
    writer = IndexWriter(patterns.connection)

    def answer(numbers: list[int]) -> None:
        pickle.dump(numbers, answers)
        answers.flush()

    while (message := pickle.load(requests)) is not None:  # noqa: S301  # as above
        sources, rows, origins = message
        numbers = writer.add(sources, [row[1] for row in rows])
        answer([numbers[source] for source in sources])
        texts.add(rows)
        texts.note_origins(origins)
    texts.finish()
    answer([])
    writer.finish()
    patterns.finish()
    answer([])
