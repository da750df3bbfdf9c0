"""What matching in the browser costs, and whether it answers as the Python engine does.

    python -m bench.browser DATABASE QUERIES [--browser 40] [--engine 1000]

QUERIES has a JSON object a line: `text`, and in `same` the ids of the records that are right.
A site of the pages, scripts and index alone is written to a temporary folder and served with
gzip from this process. Chromium pastes each of the first queries into a page of a new
context (first), then all of them into one page (later). Node runs the same engine on more of
them, and every answer is compared with Python's.

Requests and bytes of a first paste are all that was fetched for matching from the page's load
to the first answer: scripts, the root of the index, and what the text needed of it. Its time is
measured as people meet it: the page is loaded and at rest for a second, then the paste comes.
The time of a paste at the very moment of load is printed beside it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from bench.figures import Figure, database_of
from bench.pastes import draw
from errdex.database.connection import open_for_reading
from errdex.match.engine import Matcher
from errdex_site import addresses, assets
from errdex_site.pages import Site
from errdex_site.shards import Shards
from tests.chromium import CHROMIUM, FLAGS

ANSWERS = Path(__file__).parents[1] / "tests" / "js" / "answers.mjs"
_ASK = """text => new Promise((first) => {
  const box = document.getElementById("text");
  const started = performance.now();
  const took = () => performance.now() - started;
  window.whole = new Promise((whole) => {
    addEventListener("answered", () => { first(took()); whole(took()); }, { once: true });
  });
  addEventListener("found", () => first(took()), { once: true });
  box.value = text;
  box.form.requestSubmit();
})"""
_READING_MS = 1000
"""For how long a page is looked at before something is pasted."""
_REST = "() => window.whole"


class Paste(NamedTuple):
    """One paste: what was fetched and how long it took, to the first answer and to the whole."""

    requests: int
    size: int
    ms: float
    whole_requests: int
    whole_size: int
    whole_ms: float


def write_site(database: Path, folder: Path) -> None:
    """The pages with a paste box, the scripts, and the index."""
    with closing(open_for_reading(database)) as connection:
        site = Site(connection)
        paths = [addresses.HOME, addresses.MATCH, *map(addresses.static_path, assets.names())]
        started = time.perf_counter()
        shards = Shards(connection)
        files = 0
        for path in [*paths, *shards.paths()]:
            body = site.page(path).body
            file = folder / addresses.file_of(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(body.encode() if isinstance(body, str) else body)
            files += 1
        took = time.perf_counter() - started
    print(f"index and pages: {files:,} files in {took:.1f} s, one process")


class Traffic:
    """What the server sent since the last look."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.sizes: list[int] = []

    def take(self) -> tuple[int, int]:
        """Requests, bytes of gzipped bodies, but for the page, its style and icon."""
        found = [
            (path, size)
            for path, size in zip(self.paths, self.sizes, strict=True)
            if path.endswith((".js", ".json"))
        ]
        self.paths, self.sizes = [], []
        return len(found), sum(size for _, size in found)


@contextmanager
def served(folder: Path, traffic: Traffic) -> Iterator[str]:
    """Serve a folder as static hosts do: gzip, and files that may be kept for ten minutes."""

    @cache
    def packed(path: str) -> bytes | None:
        file = folder / addresses.file_of(path)
        return gzip.compress(file.read_bytes(), 6, mtime=0) if file.is_file() else None

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            body = packed(path)
            self.send_response(200 if body is not None else 404)
            kinds = {".js": "text/javascript", ".json": "application/json", ".css": "text/css"}
            kind = kinds.get(Path(path).suffix, "text/html; charset=utf-8")
            self.send_header("Content-Type", "image/svg+xml" if path.endswith("svg") else kind)
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Cache-Control", "max-age=600")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")
            traffic.paths.append(path)
            traffic.sizes.append(len(body or b""))

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def spread(name: str, values: Sequence[float], unit: str) -> str:
    """Median, mean, 95th percentile and most."""
    ordered = sorted(values)
    middle, late = ordered[len(ordered) // 2], ordered[int(0.95 * (len(ordered) - 1))]
    mean = sum(ordered) / len(ordered)
    figures = f"median {middle:7.1f}  mean {mean:7.1f}  p95 {late:7.1f}  most {ordered[-1]:7.1f}"
    return f"  {name:<10} {figures} {unit}"


def in_browser(browser: Browser, base: str, texts: Sequence[str], traffic: Traffic) -> None:
    """Print what cold and later pastes cost."""
    at_load, first, later = pastes_in(browser, base, texts, traffic)
    show("first paste of a page, at the moment of load", at_load)
    show("first paste of a page", first)
    show("later pastes of a page", later)


def paste(page: Page, text: str, traffic: Traffic) -> Paste:
    """Paste a text and wait for its answers."""
    first = float(page.evaluate(_ASK, text))
    requests, size = traffic.take()
    whole = float(page.evaluate(_REST))
    more_requests, more_size = traffic.take()
    return Paste(requests, size, first, requests + more_requests, size + more_size, whole)


def show(what: str, pastes: Sequence[Paste]) -> None:
    """Print what some pastes cost."""
    print(f"{what}, {len(pastes)} of one line")
    print(spread("requests", [one.requests for one in pastes], "to the first answer shown"))
    print(spread("gzipped", [one.size / 1000 for one in pastes], "kB"))
    print(spread("time", [one.ms for one in pastes], "ms"))
    print(spread("requests", [one.whole_requests for one in pastes], "to the whole answer"))
    print(spread("gzipped", [one.whole_size / 1000 for one in pastes], "kB"))
    print(spread("time", [one.whole_ms for one in pastes], "ms"))


def compare(database: Path, folder: Path, queries: Sequence[dict[str, object]]) -> tuple[int, int]:
    """The JavaScript engine's answers against Python's, and against the known ones: how many
    differ, and for how many the right record comes first."""
    texts = [str(query["text"]) for query in queries]
    lines = "\n".join(json.dumps(text) for text in texts)
    run = subprocess.run(
        ["node", str(ANSWERS), str(folder)],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    different = right = claimed = 0
    python_ms = []
    with closing(open_for_reading(database)) as connection:
        matcher = Matcher(connection)
        for text, query, ours in zip(texts, queries, answers, strict=True):
            started = time.perf_counter()
            answer = matcher.match(text)
            python_ms.append((time.perf_counter() - started) * 1000)
            known = [match for match in answer.matches if match.tier != "text"]
            theirs = answer._replace(matches=known).as_json()
            same = ours["matches"] == theirs["matches"] and ours["secret"] == theirs["secret"]
            different += not same
            first = ours["matches"][0] if ours["matches"] else None
            good = set(map(str, query["same"]))  # type: ignore[call-overload]  # a list of ids
            right += first is not None and first["id"] in good
            claimed += first is not None and first["claimed"] and first["id"] in good
    print(f"engine, {len(texts)} queries")
    print(f"  different from Python: {different}")
    print(
        f"  right record first: {right / len(texts):.2%}, and claimed: {claimed / len(texts):.2%}"
    )
    print(spread("JavaScript", [answer["took"] for answer in answers], "ms (Node, files)"))
    print(spread("Python", python_ms, "ms"))
    return different, right


def main() -> None:
    """Write, serve, measure, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--browser", type=int, default=40, help="queries pasted into Chromium")
    parser.add_argument("--engine", type=int, default=1000, help="queries compared with Python")
    parser.add_argument("--site", type=Path, help="keep the site here, or use the one that is here")
    options = parser.parse_args()
    with options.queries.open(encoding="utf-8") as file:
        queries = [json.loads(line) for line in file]
    one_line = [str(query["text"]) for query in queries if "\n" not in query["text"]]
    traffic = Traffic()
    with tempfile.TemporaryDirectory() as name:
        folder = options.site or Path(name)
        if not (folder / "match").exists():
            write_site(options.database, folder)
        with served(folder, traffic) as base, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            in_browser(browser, base, one_line[: options.browser], traffic)
            browser.close()
        compare(options.database, folder, queries[: options.engine])


MOST_KB, MOST_REQUESTS, MOST_MS, LEAST_RIGHT = 60.0, 12, 150.0, 0.99


def figures(records: Path, *, quick: bool = False) -> list[Figure]:
    """First and later pastes in Chromium, and the engine beside Python's."""
    database = database_of(records)
    each = 3 if quick else 40
    queries: list[dict[str, object]] = [
        {"text": paste.text, "same": sorted(paste.right)} for paste in draw(records, each)
    ]
    lines = [str(query["text"]) for query in queries if "\n" not in str(query["text"])]
    traffic = Traffic()
    with tempfile.TemporaryDirectory(prefix="errdex-browser-") as name:
        folder = Path(name)
        write_site(database, folder)
        with served(folder, traffic) as base, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            at_load, first, later = pastes_in(browser, base, lines[: 5 if quick else 40], traffic)
            browser.close()
        different, right = compare(database, folder, queries)
    show("first paste of a page, at the moment of load", at_load)
    return [
        *(_first_figures(first, MOST_KB, MOST_REQUESTS, "first paste of a page")),
        *(_first_figures(later, MOST_KB / 2, MOST_REQUESTS // 2, "later pastes")),
        Figure(
            "browser's engine, answers that differ",
            f"{different} of {len(queries)}",
            "Python's engine",
            target="none",
            held=different == 0,
        ),
        Figure(
            "browser's engine, right record first",
            f"{right / len(queries):.1%} of {len(queries)} pastes of every kind of mess",
        ),
    ]


def pastes_in(
    browser: Browser, base: str, texts: Sequence[str], traffic: Traffic
) -> tuple[list[Paste], list[Paste], list[Paste]]:
    """Each text as the first paste of a page in a new context, at the moment of its load and after
    a second of rest; then all of them in one page."""
    at_load = [_first_paste(browser, base, text, traffic, 0) for text in texts]
    first = [_first_paste(browser, base, text, traffic, _READING_MS) for text in texts]
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{base}/match/")
    paste(page, "ValueError: a first paste", traffic)
    later = [paste(page, text, traffic) for text in texts]
    context.close()
    return at_load, first, later


def _first_paste(browser: Browser, base: str, text: str, traffic: Traffic, rest: int) -> Paste:
    traffic.take()  # what a page before this one has fetched too late
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{base}/")
    page.wait_for_timeout(rest)
    found = paste(page, text, traffic)
    context.close()
    return found


def _first_figures(
    pastes: Sequence[Paste], most_kb: float, most_requests: int, name: str
) -> list[Figure]:
    size = statistics.median(one.size for one in pastes) / 1000
    requests = statistics.median(one.requests for one in pastes)
    ms = statistics.median(one.ms for one in pastes)
    return [
        Figure(
            f"{name}, to the first answer",
            f"{size:.0f} kB gzipped, {requests:.0f} requests",
            target=f"at most {most_kb:.0f} kB, {most_requests} requests",
            held=size <= most_kb and requests <= most_requests,
        ),
        Figure(
            f"{name}, to the first answer",
            f"{ms:.0f} ms",
            target=f"at most {MOST_MS:.0f} ms",
            held=ms <= MOST_MS,
        ),
    ]


if __name__ == "__main__":
    main()
