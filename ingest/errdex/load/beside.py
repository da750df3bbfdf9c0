"""A second process for a large import: it files patterns, tags, origins and full text in a
database of its own, while the first one reads records and writes them.

A plain subprocess that speaks pickle over its pipes: `multiprocessing` would run the
caller's main module again.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

from errdex.database.bulk import Aside, Beside
from errdex.errors import ImportBroken
from errdex.match.filing import IndexWriter

_CODE = "from errdex.load.beside import serve; serve()"


class SecondProcess:
    """What the first process knows of the second one.

    Requests are answered in order; `ask` does not wait, `numbers` does. Every method may
    raise ImportBroken.
    """

    def __init__(self, path: Path, import_number: int) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # our own code
            [sys.executable, "-c", _CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._send((str(path), import_number))

    def ask(self, patterns: list[str], beside: Beside) -> None:
        """Have patterns filed, and what belongs to their records; `numbers` answers."""
        self._send((patterns, beside))

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
        """Let it write what it holds back, once all is asked for; `finish` waits for that."""
        self._send(None)

    def finish(self) -> None:
        """Wait until everything is written and the file is closed."""
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


def serve() -> None:
    """The second process: serves requests until the first one is done or gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process stops us
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    try:
        _serve(requests, answers)
    except (EOFError, BrokenPipeError):
        return  # the first process is gone; the next import removes our file
    except Exception as problem:  # told where it can be shown
        pickle.dump(f"{type(problem).__name__}: {problem}", answers)
        answers.flush()


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    path, import_number = pickle.load(requests)  # noqa: S301  # from the process that started us
    aside = Aside(Path(path))
    writer = IndexWriter(aside.connection)
    while (message := pickle.load(requests)) is not None:  # noqa: S301  # as above
        patterns, beside = message
        numbers = writer.add(patterns, [text[1] for text in beside.texts])
        pickle.dump([numbers[pattern] for pattern in patterns], answers)
        answers.flush()
        aside.add(beside, import_number)
    writer.finish()
    aside.finish()
    pickle.dump([], answers)
    answers.flush()
