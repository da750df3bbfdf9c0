"""`errdex serve --workers 2`: two generations of processes, and what holds between them."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from errdex.cli import main

SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
PAGE = "/sgl-project/sglang/lora-with-eagle-nextn-eagle3-speculative-decoding/"
PATIENCE = 60
"""Seconds; nothing here takes long, but a machine may be busy."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


class Service(NamedTuple):
    """A service that runs."""

    process: subprocess.Popen[str]
    port: int
    errors: Path
    """What it says on its standard error."""

    def workers(self) -> set[int]:
        """The processes that answer."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return {int(pid) for pid in path.read_text().split()}

    def status(self, path: str) -> int:
        """Ask on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.status


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("workers") / "errdex.db"
    assert CliRunner().invoke(main, ["ingest", str(SEED), "--db", str(path)]).exit_code == 0
    return path


@contextmanager
def served(database: Path, errors: Path, **environment: str) -> Iterator[Service]:
    command = [sys.executable, "-u", "-m", "errdex", "serve", "--port", "0", "--workers", "2"]
    with errors.open("w") as told:
        process = subprocess.Popen(
            [*command, "--db", str(database)],
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        )
    assert process.stdout is not None
    try:
        port = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
        assert port is not None
        yield Service(process, int(port[1]), errors)
    finally:
        process.kill()
        process.communicate()


def wait_until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)


def wait_for_the_second_generation(service: Service) -> set[int]:
    wait_until(lambda: len(service.workers()) == 2)
    first = service.workers()
    wait_until(lambda: len(service.workers()) == 2 and not service.workers() & first)
    return service.workers()


def test_no_request_fails_while_the_workers_change(database: Path, tmp_path: Path) -> None:
    with served(database, tmp_path / "log") as service:
        wait_until(lambda: len(service.workers()) == 2)
        first = service.workers()
        kept = [http.client.HTTPConnection("127.0.0.1", service.port) for _ in range(6)]
        closed = 0

        def ask_all() -> bool:
            nonlocal closed
            for connection in kept:
                connection.request("GET", PAGE)
                response = connection.getresponse()
                assert response.status == 200
                assert response.read().endswith(b"</html>\n")
                closed += response.headers.get("connection") == "close"
            assert service.status("/api/repos") == 200
            return len(service.workers()) == 2 and not service.workers() & first

        wait_until(ask_all)
        assert ask_all()
        # Each of them was kept by the first generation, and told once to come anew.
        assert closed == len(kept)
        for connection in kept:
            connection.close()
        assert (tmp_path / "log").read_text() == ""


def test_a_request_that_is_under_way_is_answered_by_the_worker_that_is_retired(
    database: Path, tmp_path: Path
) -> None:
    with served(database, tmp_path / "log") as service:
        wait_until(lambda: len(service.workers()) == 2)
        first = service.workers()
        slow = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
        slow.putrequest("POST", "/api/match")
        slow.putheader("content-length", "10")
        slow.endheaders(b"12345")
        wait_until(lambda: len(service.workers() - first) == 2)
        wait_until(lambda: len(service.workers() & first) == 1)
        slow.send(b"67890")
        answer = slow.getresponse()
        assert (answer.status, answer.read()) == (200, b'{"matches":[],"secret":false}')
        slow.close()
        wait_until(lambda: not service.workers() & first)


def test_datasette_is_imported_once_for_all_workers(database: Path, tmp_path: Path) -> None:
    with served(database, tmp_path / "log", PYTHONPROFILEIMPORTTIME="1") as service:
        wait_for_the_second_generation(service)
        for _ in range(8):
            assert service.status("/db/repos") == 200
        imported = re.findall(r"\| +(datasette\.app|numpy\.\S+)$", service.errors.read_text(), re.M)
        assert imported == ["datasette.app"]


def test_a_worker_that_dies_is_replaced(database: Path, tmp_path: Path) -> None:
    with served(database, tmp_path / "log") as service:
        second = wait_for_the_second_generation(service)
        os.kill(min(second), signal.SIGKILL)
        wait_until(lambda: len(service.workers() - {min(second)}) == 2)
        wait_until(lambda: service.status("/db/repos") == 200)
        told = (tmp_path / "log").read_text()
        assert told == "a worker died (exit code -9); another takes its place\n"


def test_the_first_workers_go_on_where_datasette_is_broken(database: Path, tmp_path: Path) -> None:
    broken = tmp_path / "path" / "datasette"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise RuntimeError('a broken plugin')\n")
    with served(database, tmp_path / "log", PYTHONPATH=str(broken.parent)) as service:
        wait_until(lambda: "RuntimeError: a broken plugin" in service.errors.read_text())
        assert "the workers stay as they were started" in service.errors.read_text()
        assert len(service.workers()) == 2
        assert service.status(PAGE) == 200


@pytest.mark.parametrize("waits_for", ["serving", "the second generation"])
def test_an_interrupt_ends_all_of_it_at_any_time(
    database: Path, tmp_path: Path, waits_for: str
) -> None:
    with served(database, tmp_path / "log") as service:
        if waits_for == "serving":
            wait_until(lambda: len(service.workers()) == 2)
        else:
            wait_for_the_second_generation(service)
        workers = service.workers()
        service.process.send_signal(signal.SIGINT)
        told, _ = service.process.communicate(timeout=PATIENCE)
        assert told == "\nStopped.\n"
        assert service.process.returncode == 0
        assert not any(Path("/proc", str(pid)).exists() for pid in workers)
        assert (tmp_path / "log").read_text() == ""
