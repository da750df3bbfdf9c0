"""`errdex up` and `errdex serve` as real processes on a real port."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
ID = "aaead811d0809fef"


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[tuple[str, list[str]]]:
    """A server in a folder: its address, and what it printed up to then."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "errdex", *arguments, "--port", "0"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    printed: list[str] = []
    address = None
    for line in process.stdout:
        printed.append(line.rstrip("\n"))
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        if found:
            address = found[0]
            break
    try:
        assert address is not None, printed
        yield address, printed
    finally:
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=20)[0]
    assert process.returncode == 0, rest
    assert rest.strip() == "Stopped."


def get(address: str) -> str:
    with urllib.request.urlopen(address) as response:  # noqa: S310  # our own server
        text: str = response.read().decode()
        return text


def errdex(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "errdex", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


def test_up_loads_what_ships_and_serves_it(tmp_path: Path) -> None:
    with running(tmp_path, "up") as (address, printed):
        assert ID in get(f"{address}api/errors/{ID}")
        assert get(address)
    assert (tmp_path / "errdex.db").is_file()
    assert printed[-1] == f"Serving errdex.db at {address}  (Ctrl-C stops it)"
    assert not any("INFO" in line or "uvicorn" in line.lower() for line in printed)


def test_up_can_be_run_again_on_the_same_file(tmp_path: Path) -> None:
    for _ in range(2):
        with running(tmp_path, "up", str(SEED), "--db", "mine.db") as (address, _printed):
            assert ID in get(f"{address}api/errors/{ID}")


def test_up_says_that_records_were_rejected_and_serves_the_rest(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text(SEED.read_text() + '{"id": 1}\n')
    with running(tmp_path, "up", str(records)) as (address, printed):
        assert ID in get(f"{address}api/errors/{ID}")
    assert "Some records were rejected; the others are served." in printed


def test_up_refuses_a_source_that_does_not_exist(tmp_path: Path) -> None:
    result = errdex(tmp_path, "up", "none.jsonl", "--port", "0")
    assert result.returncode == 1
    assert result.stderr == (
        "errdex: none.jsonl does not exist; name a file of records that does."
        " [errdex explain ED101]\n"
    )


def test_serve_serves_a_database(tmp_path: Path) -> None:
    assert errdex(tmp_path, "ingest", str(SEED), "--db", "x.db").returncode == 0
    with running(tmp_path, "serve", "--db", "x.db") as (address, printed):
        assert get(f"{address}healthz") == "ok\n"
        assert get(f"{address}readyz") == "ready\n"
    assert printed == [f"Serving x.db at {address}  (Ctrl-C stops it)"]


def test_verbose_logs_paths_but_never_what_was_pasted(tmp_path: Path) -> None:
    assert errdex(tmp_path, "ingest", str(SEED)).returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "errdex", "serve", "--port", "0", "--verbose"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    address = re.search(r"http://\S+", process.stdout.readline())
    assert address is not None
    get(f"{address[0]}match/?q=hunter2")
    get(f"{address[0]}match.json?q=hunter2")
    get(f"{address[0]}db/repos.json?_search=hunter2")
    process.send_signal(signal.SIGINT)
    logged = process.communicate(timeout=20)[0]
    assert "GET /match/ 200" in logged
    assert "GET /match.json 200" in logged
    assert "hunter2" not in logged


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    assert errdex(tmp_path, "ingest", str(SEED)).returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "errdex", "serve", "--port", "0", "--workers", "2"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Serving")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while len(workers := children.read_text().split()) < 2:
        time.sleep(0.02)
    process.kill()
    process.communicate()
    ends = time.monotonic() + 20
    while any(Path("/proc", worker).exists() for worker in workers):
        assert time.monotonic() < ends
        time.sleep(0.02)


@pytest.mark.parametrize("command", ["serve", "up"])
def test_a_port_in_use_is_refused_with_a_sentence(tmp_path: Path, command: str) -> None:
    assert errdex(tmp_path, "ingest", str(SEED)).returncode == 0
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        result = errdex(tmp_path, command, "--port", str(port))
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr == (
        f"errdex: port {port} on 127.0.0.1 is in use;"
        " stop what listens there or give another --port. [errdex explain ED501]\n"
    )


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_a_host_that_is_not_this_machine_is_refused(tmp_path: Path, host: str) -> None:
    assert errdex(tmp_path, "ingest", str(SEED)).returncode == 0
    result = errdex(tmp_path, "serve", "--host", host)
    assert result.returncode == 1
    assert result.stderr.startswith(f"errdex: {host}:8001 cannot be listened on (")
    assert result.stderr.endswith("); give another --host or --port. [errdex explain ED502]\n")


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_no_port_is_refused(tmp_path: Path, port: str) -> None:
    result = errdex(tmp_path, "serve", "--port", port)
    assert result.returncode == 2
    assert "Invalid value for '--port'" in result.stderr


def test_a_missing_database_is_refused(tmp_path: Path) -> None:
    result = errdex(tmp_path, "serve", "--db", "none.db")
    assert result.returncode == 1
    assert result.stderr == (
        "errdex: none.db does not exist;"
        " make it with `errdex ingest SOURCE --db none.db`. [errdex explain ED201]\n"
    )


def test_a_folder_is_refused_as_a_database(tmp_path: Path) -> None:
    result = errdex(tmp_path, "serve", "--db", ".")
    assert result.returncode == 1
    assert result.stderr == (
        "errdex: . is not an errdex database (it is a folder); name another with --db."
        " [errdex explain ED202]\n"
    )


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0 but no more", b"\0" * 8192])
def test_a_file_of_another_program_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.db").write_bytes(content)
    result = errdex(tmp_path, "serve", "--db", "x.db")
    assert result.returncode == 1
    assert result.stderr.startswith("errdex: x.db is not an errdex database (")
    assert result.stderr.endswith("); name another with --db. [errdex explain ED202]\n")
