"""`errdex run`: the command's output and exit code are its own, its failure is explained."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from errdex.load import load
from errdex.sources import read_lines

CASES = Path(__file__).parent / "cases"
ERRDEX = [sys.executable, "-m", "errdex", "run"]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "errdex.db"
    load(read_lines(str(CASES / "records.jsonl")), path)
    return path


def run(database: Path, *command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*ERRDEX, "--db", str(database), "--", *command], capture_output=True)


def test_output_and_exit_code_pass_through(database: Path) -> None:
    program = "import sys, os; os.write(1, bytes(range(256))); os.write(2, b'e\\r\\n'); sys.exit(0)"
    done = run(database, sys.executable, "-c", program)
    assert (done.returncode, done.stdout, done.stderr) == (0, bytes(range(256)), b"e\r\n")


@pytest.mark.parametrize("stream", ["", " >&2"])
def test_a_failure_is_explained_on_standard_error(database: Path, stream: str) -> None:
    done = run(database, "sh", "-c", f"echo 'worker exited with code 3'{stream}; exit 7")
    assert done.returncode == 7
    told = done.stderr.decode()
    assert "\nerrdex: exit code 7; this may be why:\n\nc9921748ea519e17  acme/flowline/" in told
    assert "  code = 3\n" in told
    assert b"errdex" not in done.stdout


def test_a_failure_that_nobody_knows_is_told_so(database: Path) -> None:
    done = run(database, "sh", "-c", "exit 9")
    assert done.returncode == 9
    assert done.stderr == b"\nerrdex: exit code 9; no record matches the output.\n"


def test_a_success_is_not_commented(database: Path) -> None:
    done = run(database, "echo", "worker exited with code 3")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"worker exited with code 3\n", b"")


def test_an_error_far_back_in_a_long_output_is_found(database: Path) -> None:
    script = "echo 'WorkerExit: worker exited with code 4'; yes all is well | head -n 20000; exit 1"
    done = run(database, "sh", "-c", script)
    assert b"  code = 4\n" in done.stderr


def test_a_command_that_is_not_there_exits_with_127(database: Path) -> None:
    done = run(database, "no-such-command")
    assert done.returncode == 127
    assert done.stderr == b"errdex: no-such-command: No such file or directory\n"


def test_a_command_that_may_not_be_run_exits_with_126(database: Path, tmp_path: Path) -> None:
    path = tmp_path / "plain.txt"
    path.write_text("")
    done = run(database, str(path))
    assert done.returncode == 126
    assert done.stderr == f"errdex: {path}: Permission denied\n".encode()


def test_a_missing_database_is_told_before_anything_is_run(tmp_path: Path) -> None:
    done = run(tmp_path / "no.db", "touch", str(tmp_path / "ran"))
    assert done.returncode != 0
    assert b"no.db does not exist" in done.stderr
    assert not (tmp_path / "ran").exists()


def test_options_behind_the_command_are_its_own(database: Path) -> None:
    command = [*ERRDEX, "--db", str(database), "echo", "--db", "-n", "x"]
    done = subprocess.run(command, capture_output=True)
    assert done.stdout == b"--db -n x\n"


def test_a_command_that_a_signal_ends_exits_as_shells_tell_it(database: Path) -> None:
    done = run(database, "sh", "-c", "kill -KILL $$")
    assert done.returncode == 128 + signal.SIGKILL
    assert done.stderr == b"\nerrdex: ended by SIGKILL; no record matches the output.\n"


def test_signals_go_on_to_the_command(database: Path) -> None:
    program = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    command = [*ERRDEX, "--db", str(database), "--", sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 5


def test_output_comes_as_it_is_written(database: Path) -> None:
    script = 'printf first; read line; printf "$line"'
    command = [*ERRDEX, "--db", str(database), "--", "sh", "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.read(5) == b"first"
        process.stdin.write(b"second\n")
        process.stdin.flush()
        assert process.stdout.read(6) == b"second"
        assert process.wait(timeout=30) == 0


def test_a_process_that_is_left_behind_does_not_hold_us(database: Path) -> None:
    done = run(database, "sh", "-c", "sleep 600 & echo $!; exit 3")
    assert done.returncode == 3
    os.kill(int(done.stdout), signal.SIGTERM)  # it is still there


def test_a_reader_that_goes_away_ends_the_command(database: Path) -> None:
    command = [*ERRDEX, "--db", str(database), "--", "yes"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.wait(timeout=30) != 0


def test_on_a_terminal_the_command_has_a_terminal_of_the_same_size(database: Path) -> None:
    leader, follower = pty.openpty()
    termios.tcsetwinsize(follower, (33, 77))
    program = "import os, sys; print(sys.stdout.isatty(), *os.get_terminal_size())"
    command = [*ERRDEX, "--db", str(database), "--", sys.executable, "-c", program]
    subprocess.run(command, stdout=follower, stderr=follower, check=True)
    os.close(follower)
    assert os.read(leader, 1000) == b"True 77 33\r\n"
    os.close(leader)
