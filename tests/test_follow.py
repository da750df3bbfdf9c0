"""Following a file as it grows: rotation, truncation, a file that is not there yet."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from errdex.follow import NewLine, follow
from errdex.load import load
from errdex.sources import read_lines

CASES = Path(__file__).parent / "cases"

Step = Callable[[], object]


def told(path: Path, *steps: Step, from_start: bool = False) -> list[list[NewLine]]:
    """The lines that come before the first pause, and after each step taken in a pause."""
    waiting: Iterator[Step] = iter(steps)
    found: list[list[NewLine]] = [[]]
    for line in follow(path, from_start=from_start, wait=lambda _seconds: next(waiting)()):
        if line is not None:
            found[-1].append(line)
        elif len(found) > len(steps):
            break
        else:
            found.append([])
    return found


def add(path: Path, text: str) -> Step:
    def step() -> None:
        with path.open("a") as file:
            file.write(text)

    return step


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "app.log"
    path.write_text("old 1\nold 2\n")
    return path


def test_what_is_added_comes_with_its_line_number(log: Path) -> None:
    assert told(log, add(log, "new\n"), add(log, "a\nb\n")) == [
        [],
        [NewLine(3, b"new")],
        [NewLine(4, b"a"), NewLine(5, b"b")],
    ]


def test_what_is_there_comes_first_if_that_is_wanted(log: Path) -> None:
    assert told(log, from_start=True) == [[NewLine(1, b"old 1"), NewLine(2, b"old 2")]]


def test_an_unfinished_line_waits_for_its_end(log: Path) -> None:
    assert told(log, add(log, "half"), add(log, " done\n")) == [
        [],
        [],
        [NewLine(3, b"half done")],
    ]


def test_a_file_that_is_cut_is_read_from_its_start(log: Path) -> None:
    assert told(log, lambda: log.write_text("x\n")) == [[], [NewLine(1, b"x")]]


def test_a_file_that_is_rotated_is_read_to_its_end_and_then_the_new_one(log: Path) -> None:
    def rotate() -> None:
        add(log, "last\nunfinished")()
        log.rename(log.with_suffix(".1"))
        log.write_text("first\n")

    assert told(log, rotate, add(log, "second\n")) == [
        [],
        [NewLine(3, b"last"), NewLine(4, b"unfinished"), NewLine(1, b"first")],
        [NewLine(2, b"second")],
    ]


def test_a_file_that_is_gone_for_a_while_is_waited_for(log: Path) -> None:
    found = told(log, log.unlink, lambda: None, lambda: log.write_text("back\n"))
    assert found == [[], [], [], [NewLine(1, b"back")]]


def test_a_file_that_is_not_there_yet_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "later.log"
    assert told(path, lambda: path.write_text("hello\n")) == [[], [NewLine(1, b"hello")]]


def test_a_line_without_an_end_comes_in_pieces(log: Path) -> None:
    _, pieces = told(log, add(log, "x" * 3_000_000 + "\n"))
    assert b"".join(piece.data for piece in pieces) == b"x" * 3_000_000
    assert {piece.number for piece in pieces} == {3}


def test_errors_are_told_while_the_file_grows(tmp_path: Path) -> None:
    database, log = tmp_path / "errdex.db", tmp_path / "app.log"
    load(read_lines(str(CASES / "records.jsonl")), database)
    log.write_text("WorkerExit: worker exited with code 1\n")
    command = [sys.executable, "-m", "errdex", "match", "--db", str(database)]
    command += ["--follow", "--file", str(log), "--format", "github"]
    seen = threading.Event()

    def keep_adding() -> None:
        while not seen.wait(0.3):  # it may not have begun to look yet
            add(log, "all is well\nWorkerExit: worker exited with code 2\nwell again\n")()

    writer = threading.Thread(target=keep_adding)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        writer.start()
        assert process.stdout is not None
        line = process.stdout.readline()
        seen.set()
        writer.join()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert b"worker exited with code 2%0A" in line
        assert process.wait(timeout=20) == 0
