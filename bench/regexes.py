"""Known catastrophic patterns in every engine: `python -m bench.regexes`.

Each pattern of `tests/cases/catastrophic.jsonl` meets its worst text of 10,000 characters: in
Python; in the live service, over HTTP, whose database holds all of the patterns at once; and in
Chromium, by the engine of the paste box. Milliseconds, the best of three rounds, beside the
limit of 100. Python's `re` is stopped after a second; most would take it years.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import re
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import sync_playwright

import errdex_site
from bench.figures import Figure
from bench.serve import serving
from errdex.match.verify import occurrences
from errdex.patterns import analyze
from tests.catastrophic import CASES, SIZE, Case, load_all
from tests.chromium import CHROMIUM, FLAGS

LIMIT_MS = 100.0
ROUNDS = 3
_MOST_OF_RE = 1.0
_WARM = 20
_STATIC = Path(errdex_site.__file__).parent / "static"
_IN_PAGE = """async ([pattern, text]) => {
  const { occurrences, useLinear } = await import("/match/verify.js");
  useLinear((await import("/match/linear.js")).linear);
  const began = performance.now();
  occurrences(pattern, text);
  return performance.now() - began;
}"""


def best_ms(act: Callable[[], object]) -> float:
    """The shortest of a few rounds, in milliseconds by the clock."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        act()
        times.append(time.perf_counter() - began)
    return min(times) * 1000


def in_python() -> list[float]:
    """Analysis and search, each case by itself."""
    return [
        best_ms(lambda case=case: occurrences(analyze(case.pattern), case.text()))  # type: ignore[misc] # bound now
        for case in CASES
    ]


def in_the_service() -> list[float]:
    """A POST of each text, with every pattern of the cases in the database."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "catastrophic.db"
        load_all(database)
        with serving(database) as server:
            for _ in range(_WARM):
                _post(server.address, "a first text: every reader compiles every pattern")
            return [best_ms(partial(_post, server.address, case.text())) for case in CASES]


def _post(address: str, text: str) -> None:
    request = urllib.request.Request(  # noqa: S310  # our own server
        f"{address}/api/match", data=text.encode(), headers={"content-type": "text/plain"}
    )
    urllib.request.urlopen(request).close()  # noqa: S310  # as above


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def _static_files() -> Iterator[str]:
    handler = partial(_Quiet, directory=str(_STATIC))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def in_chromium() -> list[float]:
    """The browser's own search, each case by itself."""
    with _static_files() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.goto(address)
        found = []
        for case in CASES:
            pattern = analyze(case.pattern)._asdict()
            rounds = [float(page.evaluate(_IN_PAGE, [pattern, case.text()])) for _ in range(ROUNDS)]
            found.append(min(rounds))
        browser.close()
    return found


def by_re(case: Case) -> float | None:
    """Python's own engine, in a process that is stopped after a second: None if it was."""
    process = multiprocessing.get_context("fork").Process(target=_search, args=(case,))
    began = time.perf_counter()
    process.start()
    process.join(_MOST_OF_RE)
    if process.is_alive():
        process.kill()
        process.join()
        return None
    return (time.perf_counter() - began) * 1000


def _search(case: Case) -> None:
    with contextlib.suppress(re.error, RecursionError):
        re.search(case.pattern, case.text())


def figures(records: Path | None = None, *, quick: bool = False) -> list[Figure]:
    """The slowest case of each engine, beside how many of them `re` did not end in a second."""
    engines = {"Python": in_python(), "service": in_the_service(), "Chromium": in_chromium()}
    others = [by_re(case) for case in (CASES[:8] if quick else CASES)]
    stopped = sum(one is None for one in others)
    beside = f"Python's re: {stopped} of {len(others)} not done after {_MOST_OF_RE:.0f} s"
    print(f"{'pattern':42} {'re':>9}" + "".join(f" {name:>9}" for name in engines) + " limit, ms")
    for number, case in enumerate(CASES):
        other = others[number] if number < len(others) else None
        shown = "" if number >= len(others) else "> 1 s" if other is None else f"{other:.0f}"
        times = "".join(f" {engines[name][number]:9.1f}" for name in engines)
        print(f"{case.name:42} {shown:>9}{times} {LIMIT_MS:6.0f}")
    where = {"service": "service (all of them in its database)"}
    return [_figure(where.get(name, name), times, beside) for name, times in engines.items()]


def _figure(engine: str, times: Sequence[float], beside: str) -> Figure:
    worst = max(range(len(times)), key=times.__getitem__)
    return Figure(
        f"slowest of {len(CASES)} catastrophic patterns on {SIZE:,} characters, {engine}",
        f"{times[worst]:.0f} ms ({CASES[worst].name})",
        beside,
        "",
        f"at most {LIMIT_MS:.0f} ms",
        times[worst] <= LIMIT_MS,
    )


if __name__ == "__main__":
    sys.exit(not all(figure.held for figure in figures()))
