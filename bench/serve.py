"""The live service under load, against Datasette's own pages, in one run.

    python bench/serve.py DATABASE [--seconds N] [--import RECORDS.jsonl] [--mixed SECONDS]

DATABASE is an errdex database of at least 100,000 records; it is copied first when an
import is to run meanwhile. Needs `wrk`. Each figure is printed with its limit; the exit
code is 1 when one does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

CONNECTIONS = 32
SAMPLES = 2000
FIRST_ANSWER_LIMIT = 1.0
MEMORY_LIMIT_MB = 300
P99_LIMIT_MS = 50
MATCH_RATE = 300
PAGE_RATIO = 2
UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}

SCRIPT = """
local paths = {}
for line in io.lines("%s") do paths[#paths + 1] = line end
local at = math.random(#paths)
request = function()
  at = at %% #paths + 1
  return wrk.format("GET", paths[at])
end
"""


class Load(NamedTuple):
    """What wrk measured."""

    rate: float
    """Requests a second."""
    p99: float
    """Milliseconds."""
    bad: int
    """Answers other than 2xx and 3xx, and broken connections."""


class Server:
    """`errdex serve` in a process of its own."""

    def __init__(self, database: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [sys.executable, "-m", "errdex", "serve", "--workers", str(os.cpu_count())]
        started = time.perf_counter()
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port), "--db", str(database)],
            stdout=subprocess.DEVNULL,
        )
        self.address = f"http://127.0.0.1:{self.port}"
        self.first_answer = self._wait(started)

    def _wait(self, started: float) -> float:
        while True:
            try:
                with urllib.request.urlopen(f"{self.address}/api/match?q=x"):  # noqa: S310  # ours
                    return time.perf_counter() - started
            except OSError:
                time.sleep(0.01)

    def memory_mb(self) -> float:
        """Resident now, of all its processes; what they share is counted once."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        total = 0
        for pid in [str(self._process.pid), *children.read_text().split()]:
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += int(re.findall(r"Pss:\s+(\d+)", rollup)[0])
        return total / 1024

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()


@contextmanager
def serving(database: Path) -> Iterator[Server]:
    server = Server(database)
    try:
        yield server
    finally:
        server.stop()


def wrk(server: Server, paths: list[str], seconds: int, folder: Path) -> Load:
    """Ask for the paths in turn, from 32 connections."""
    (folder / "paths").write_text("\n".join(paths) + "\n")
    (folder / "script.lua").write_text(SCRIPT % (folder / "paths"))
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "--latency"]
    told = subprocess.run(
        [*command, "-s", str(folder / "script.lua"), server.address],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    p99, unit = re.findall(r"99%\s+([\d.]+)(\w+)", told)[0]
    bad = sum(int(n) for n in re.findall(r"Non-2xx or 3xx responses: (\d+)", told))
    for errors in re.findall(r"Socket errors: (.+)", told):
        bad += sum(int(number) for number in re.findall(r"\d+", errors))
    rate = float(re.findall(r"Requests/sec:\s+([\d.]+)", told)[0])
    return Load(rate, float(p99) * UNITS[unit], bad)


class Samples(NamedTuple):
    """Addresses of the same random records, in three forms."""

    pages: list[str]
    rows: list[str]
    matches: list[str]
    searches: list[str]


def sample(database: Path, seed: int) -> Samples:
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    (count,) = connection.execute("SELECT max(number) FROM errors").fetchone()
    chosen = random.Random(seed).sample(range(1, count + 1), min(SAMPLES, count))  # noqa: S311
    found = []
    for number in chosen:
        found += connection.execute(
            "SELECT number, repo, slug, error_class, error_message FROM errors WHERE number = ?",
            (number,),
        ).fetchall()
    connection.close()
    return Samples(
        pages=[f"/{repo}/{slug}/" for _, repo, slug, _, _ in found],
        rows=[f"/db/errors/{number}" for number, *_ in found],
        matches=[f"/api/match?q={quote(line(cls, text))}" for *_, cls, text in found],
        searches=[f"/api/search?q={quote(' '.join(text.split()[:3]))}" for *_, text in found],
    )


def line(error_class: str | None, message: str) -> str:
    """One line as a program prints it: the message with values for its placeholders."""
    first = re.sub(r"\{[^{}]*\}", "value7", message).partition("\n")[0][:500]
    return f"{error_class}: {first}" if error_class else first


def mixed(server: Server, samples: Samples, seconds: int) -> list[str]:
    """Everything at once: pages, matches, search, garbage, slow clients, 1 MB pastes.

    Gives what went wrong; empty when nothing did.
    """
    wrong: list[str] = []
    ends = time.monotonic() + seconds
    dice = random.Random(7)  # noqa: S311  # not a secret

    def ask(path: str, body: bytes | None = None) -> None:
        request = urllib.request.Request(server.address + path, data=body)  # noqa: S310  # ours
        if body is not None:
            request.add_header("content-type", "text/plain")
        try:
            with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310  # ours
                response.read()
        except urllib.error.HTTPError as problem:
            if problem.code >= 500:
                wrong.append(f"{problem.code} at {path[:80]}")
        except OSError as problem:
            wrong.append(f"{problem} at {path[:80]}")

    def often(action: Callable[[], None]) -> None:
        while time.monotonic() < ends:
            action()

    def slow() -> None:
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(b"POST /api/match HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n")
            for _ in range(5):
                client.sendall(b"x")
                time.sleep(0.5)

    def garbage() -> None:
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(dice.randbytes(200) + b"\r\n\r\n")
            client.settimeout(2)
            with suppress(OSError):
                client.recv(100)
        ask("/" + quote(dice.randbytes(20)))
        time.sleep(0.05)

    paste = "\n".join(
        f"2026-11-30 12:00:00 INFO step {n} of {dice.random()}" for n in range(18_000)
    ).encode()

    def large() -> None:
        ask("/api/match", paste[:1_000_000])
        time.sleep(2)

    actions: list[Callable[[], None]] = [
        lambda: ask(dice.choice(samples.pages)),
        lambda: ask(dice.choice(samples.pages)),
        lambda: ask(dice.choice(samples.matches)),
        lambda: ask(dice.choice(samples.searches)),
        garbage,
        large,
        *[slow] * 10,
    ]
    threads = [threading.Thread(target=often, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def importing(records: Path, database: Path, stop: threading.Event) -> None:
    """Import changed records into the served database, again and again."""
    lines = records.open("rb").readlines()[:2000]
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "part.jsonl"
        for turn in range(10_000):
            if stop.is_set():
                return
            changed = [json.loads(line) for line in lines]
            for envelope in changed:
                record = envelope.get("record", envelope)
                record["documentation"] += f" ({turn})"
            part.write_text("".join(json.dumps(envelope) + "\n" for envelope in changed))
            command = [sys.executable, "-m", "errdex", "ingest", "--force", str(part)]
            subprocess.run([*command, "--db", str(database)], capture_output=True, check=False)


def report(name: str, holds: bool, figures: str) -> bool:
    print(f"{'holds' if holds else 'FAILS'}  {name:34} {figures}", flush=True)
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", type=Path)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--import", dest="records", type=Path)
    parser.add_argument("--mixed", type=int, default=60)
    chosen = parser.parse_args()
    held = []
    with tempfile.TemporaryDirectory(prefix="errdex-bench-") as name:
        folder, database = Path(name), chosen.database
        if chosen.records:
            database = folder / "errdex.db"
            shutil.copyfile(chosen.database, database)
        samples = sample(database, seed=7)
        with serving(database) as server:
            first = server.first_answer
            held.append(
                report("start to first answer", first < FIRST_ANSWER_LIMIT, f"{first:.2f} s")
            )
            for path in (*samples.rows[:20], *samples.pages[:20], *samples.matches[:20]):
                urllib.request.urlopen(server.address + path).close()  # noqa: S310  # ours
            row = wrk(server, samples.rows, chosen.seconds, folder)
            page = wrk(server, samples.pages, chosen.seconds, folder)
            ratio = page.rate / row.rate
            held.append(
                report(
                    "error page : Datasette's row page",
                    ratio >= PAGE_RATIO and not page.bad,
                    f"{page.rate:.0f} : {row.rate:.0f} a second = {ratio:.1f}",
                )
            )
            held.append(
                report(
                    "error page, p99 at 32 connections",
                    page.p99 < P99_LIMIT_MS,
                    f"{page.p99:.0f} ms (the row page {row.p99:.0f} ms)",
                )
            )
            stop = threading.Event()
            importer = threading.Thread(target=importing, args=(chosen.records, database, stop))
            if chosen.records:
                importer.start()
            match = wrk(server, samples.matches, chosen.seconds, folder)
            stop.set()
            meanwhile = " while an import runs" if chosen.records else ""
            held.append(
                report(
                    "/api/match, one line",
                    match.rate >= MATCH_RATE and match.p99 < P99_LIMIT_MS and not match.bad,
                    f"{match.rate:.0f} a second, p99 {match.p99:.0f} ms{meanwhile}",
                )
            )
            if chosen.records:
                importer.join()
            if chosen.mixed:
                mixed(server, samples, chosen.mixed // 2)  # tables of kept pages are full then
                before = server.memory_mb()
                wrong = mixed(server, samples, chosen.mixed)
                after = server.memory_mb()
                held.append(
                    report(
                        f"mixed load, {chosen.mixed} s",
                        not wrong and after < before * 1.1,
                        f"{len(wrong)} failures {wrong[:3]}, memory {before:.0f} → {after:.0f} MB",
                    )
                )
            memory = server.memory_mb()
            held.append(report("resident memory", memory < MEMORY_LIMIT_MB, f"{memory:.0f} MB"))
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
