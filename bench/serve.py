"""The live service under load, against Datasette's own pages, in one run.

    python -m bench.serve DATABASE [--seconds N] [--import RECORDS.jsonl] [--mixed SECONDS]

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
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from bench.figures import Figure, database_of

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


def changed(records: Path, folder: Path) -> list[Path]:
    """Two files of the same 2,000 records; each changes all that the other one has left."""
    with records.open("rb") as lines:
        chosen = [json.loads(line) for line in islice(lines, 2000)]
    parts = []
    for turn in range(2):
        for envelope in chosen:
            envelope.get("record", envelope)["documentation"] += f" ({turn})"
        parts.append(folder / f"part{turn}.jsonl")
        parts[-1].write_text("".join(json.dumps(envelope) + "\n" for envelope in chosen))
    return parts


def importing(parts: list[Path], database: Path, stop: threading.Event) -> None:
    """Import one file after the other into the served database, again and again."""
    for part in cycle(parts):
        if stop.is_set():
            return
        command = [sys.executable, "-m", "errdex", "ingest", "--force", str(part)]
        subprocess.run([*command, "--db", str(database)], capture_output=True, check=False)


def measure(
    database: Path, records: Path | None, *, seconds: int, mixed_for: int
) -> Iterator[Figure]:
    """Each figure as soon as it is known. `records` are imported while matches are asked for;
    `mixed_for` is the seconds of mixed load."""
    with tempfile.TemporaryDirectory(prefix="errdex-bench-") as name:
        folder = Path(name)
        if records:
            database = Path(shutil.copyfile(database, folder / "errdex.db"))
        samples = sample(database, seed=7)
        with serving(database) as server:
            first = server.first_answer
            yield Figure(
                "service, start to first answer",
                f"{first:.2f} s",
                target=f"under {FIRST_ANSWER_LIMIT:.0f} s",
                held=first < FIRST_ANSWER_LIMIT,
            )
            for path in (*samples.rows[:20], *samples.pages[:20], *samples.matches[:20]):
                urllib.request.urlopen(server.address + path).close()  # noqa: S310  # ours
            yield from _pages(server, samples, seconds, folder)
            yield _matches(server, samples, seconds, folder, records, database)
            if mixed_for:
                yield _mixed(server, samples, mixed_for)
            memory = server.memory_mb()
            yield Figure(
                "service, resident memory",
                f"{memory:.0f} MB",
                target=f"under {MEMORY_LIMIT_MB} MB",
                held=memory < MEMORY_LIMIT_MB,
            )


def _pages(server: Server, samples: Samples, seconds: int, folder: Path) -> list[Figure]:
    row = wrk(server, samples.rows, seconds, folder)
    page = wrk(server, samples.pages, seconds, folder)
    ratio = page.rate / row.rate
    return [
        Figure(
            "error page",
            f"{page.rate:,.0f} a second",
            f"Datasette's row page: {row.rate:,.0f}",
            f"{ratio:.1f} ×",
            f"at least {PAGE_RATIO} ×",
            ratio >= PAGE_RATIO and not page.bad,
        ),
        Figure(
            f"error page, 99th percentile at {CONNECTIONS} connections",
            f"{page.p99:.0f} ms",
            f"Datasette's row page: {row.p99:.0f} ms",
            target=f"under {P99_LIMIT_MS} ms",
            held=page.p99 < P99_LIMIT_MS,
        ),
    ]


def _matches(
    server: Server,
    samples: Samples,
    seconds: int,
    folder: Path,
    records: Path | None,
    database: Path,
) -> Figure:
    stop = threading.Event()
    parts = changed(records, folder) if records else []
    importer = threading.Thread(target=importing, args=(parts, database, stop))
    if records:
        importer.start()
    match = wrk(server, samples.matches, seconds, folder)
    stop.set()
    if records:
        importer.join()
    return Figure(
        "/api/match, one line" + (", while an import runs" if records else ""),
        f"{match.rate:,.0f} a second, p99 {match.p99:.0f} ms",
        target=f"at least {MATCH_RATE}, under {P99_LIMIT_MS} ms",
        held=match.rate >= MATCH_RATE and match.p99 < P99_LIMIT_MS and not match.bad,
    )


def _mixed(server: Server, samples: Samples, seconds: int) -> Figure:
    mixed(server, samples, max(1, seconds // 2))  # tables of kept pages are full then
    before = server.memory_mb()
    wrong = mixed(server, samples, seconds)
    after = server.memory_mb()
    return Figure(
        f"mixed load, {seconds} s: pages, matches, searches, garbage, slow clients, 1 MB pastes",
        f"{len(wrong)} failures {wrong[:2] or ''}, memory {before:.0f} → {after:.0f} MB",
        target="no failure, no growth beyond a tenth",
        held=not wrong and after < before * 1.1,
    )


def figures(records: Path, *, quick: bool = False) -> list[Figure]:
    """All of them, with an import meanwhile."""
    seconds, mixed_seconds = (2, 4) if quick else (10, 60)
    if shutil.which("wrk") is None:
        return [Figure("service under load", "not measured: wrk is not installed here")]
    return list(measure(database_of(records), records, seconds=seconds, mixed_for=mixed_seconds))


def main() -> int:
    """Print the figures as they come."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("database", type=Path)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--import", dest="records", type=Path)
    parser.add_argument("--mixed", type=int, default=60)
    chosen = parser.parse_args()
    good = True
    for figure in measure(
        chosen.database, chosen.records, seconds=chosen.seconds, mixed_for=chosen.mixed
    ):
        verdict = "holds" if figure.held else "FAILS"
        beside = f" ({figure.reference})" if figure.reference else ""
        print(f"{verdict}  {figure.name:52} {figure.ours}{beside}", flush=True)
        good = good and figure.held is not False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
