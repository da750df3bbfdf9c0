"""The built site in a real Chromium: what people see, click and copy."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from errdex.load import Options as IngestOptions
from errdex.load import ingest
from errdex_site.build import Options, build

TESTS = Path(__file__).parent
SEED = TESTS.parent / "data" / "seed.jsonl"
SEED_PATH = "/sgl-project/sglang/lora-with-eagle-nextn-eagle3-speculative-decoding/"
KINDS = {
    "home": "/",
    "match": "/match/",
    "repos": "/repos/",
    "repo": "/acme/flowline/",
    "error": SEED_PATH,
    "snippet": "/acme/flowline/partition-partition-of-stage-stage-wants-wanted-slots-wh/",
    "tags": "/tags/",
    "tag": "/tags/python/",
    "families": "/families/",
    "family": "/families/capacity-limits/",
    "codes": "/codes/",
    "missing": "/nothing/at/all/",
    "hostile": "/evil/evil/hostile/",
}


class _Handler(SimpleHTTPRequestHandler):
    """Serves a folder as static hosts do, 404.html included."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        body = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of the built site."""
    folder = tmp_path_factory.mktemp("browser")
    text = (TESTS / "cases" / "hostile.json").read_text()
    hostile = json.loads(text.replace('"LONG"', json.dumps("<b>" + "x" * 100_000)))
    hostile["sourceCode"] = hostile["sourceCode"].replace("LONG", "<" * 100_000)
    (folder / "hostile.jsonl").write_text(json.dumps(hostile))
    sources = [TESTS / "cases" / "records.jsonl", SEED, folder / "hostile.jsonl"]
    ingest([str(source) for source in sources], folder / "errdex.db", IngestOptions())
    build(folder / "errdex.db", folder / "site", Options(jobs=1))
    handler = partial(_Handler, directory=str(folder / "site"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page on which any error, and any request to another host, fails the test."""
    context = browser.new_context(base_url=address)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
    opened.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    opened.on(
        "request",
        lambda request: wrong.append(request.url) if not request.url.startswith(address) else None,
    )
    yield opened
    context.close()
    assert [line for line in wrong if "404 (Not Found)" not in line] == []


def clipboard(page: Page) -> str:
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_fits_a_narrow_screen(page: Page, kind: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(KINDS[kind])
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_has_no_accessibility_fault(page: Page, axe: Path, kind: str) -> None:
    page.goto(KINDS[kind])
    page.evaluate(axe.read_text())
    faults = page.evaluate("axe.run().then(result => result.violations)")
    page.emulate_media(color_scheme="dark")
    faults += page.evaluate(
        "axe.run({runOnly: 'color-contrast'}).then(result => result.violations)"
    )
    assert [f"{fault['id']}: {fault['nodes'][0]['html'][:200]}" for fault in faults] == []


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The accessibility checker, from npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("axe-core comes from npm, which is missing here")
    folder = tmp_path_factory.mktemp("axe")
    command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "axe-core@4"]
    try:
        failed = subprocess.run(command, capture_output=True, check=False, timeout=180).returncode
    except subprocess.TimeoutExpired:
        failed = 1
    if failed:
        pytest.skip("npm cannot install axe-core")
    return folder / "node_modules" / "axe-core" / "axe.min.js"


def test_the_dark_page_is_dark(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(SEED_PATH)
    color = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert color == "rgb(20, 22, 27)"


def test_values_in_the_address_fill_the_placeholders(page: Page) -> None:
    page.goto(SEED_PATH + "#v=reason=does%20not%20support%20%3Cb%3Ex%3C%2Fb%3E")
    assert page.locator("h1 var").inner_text() == "does not support <b>x</b>"
    assert page.locator(".fixes var").inner_text() == "does not support <b>x</b>"
    assert page.locator("h1 b").count() == 0


def test_a_secret_in_the_address_is_not_shown(page: Page) -> None:
    page.goto(SEED_PATH + "#v=reason=ghp_0123456789abcdefghijABCDEFGHIJ")
    assert page.locator("h1 var").inner_text() == "{reason}"


def test_the_message_is_copied_as_it_is_shown(page: Page) -> None:
    page.goto(SEED_PATH + "#v=reason=is%20so")
    page.get_by_role("button", name="Copy message").click()
    assert clipboard(page) == "LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding is so."
    assert page.get_by_role("status").inner_text() == "Copied: message"


def test_the_markdown_link_leads_to_the_short_link(page: Page, address: str) -> None:
    page.goto(SEED_PATH)
    page.get_by_role("button", name="Copy Markdown link").click()
    message = "LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding {reason}."
    assert clipboard(page) == f"[{message}]({address}/e/aaead811d0809fef)"


def test_of_a_diff_only_the_right_half_is_copied(page: Page) -> None:
    page.goto(SEED_PATH)
    page.locator(".copyable", has=page.locator(".diff")).get_by_role("button").click()
    assert clipboard(page) == "--speculative-algorithm EAGLE --lora-paths '[...]'  # overlap off"


def test_a_fix_and_a_snippet_are_copied_with_the_keyboard_alone(page: Page) -> None:
    page.goto(SEED_PATH)
    page.get_by_role("button", name="Copy fix").nth(1).focus()
    page.keyboard.press("Enter")
    assert clipboard(page) == "Or disable LoRA for this run"
    page.get_by_role("button", name="Copy snippet").focus()
    page.keyboard.press("Space")
    assert clipboard(page).splitlines()[18].strip() == "raise ValueError("


def test_a_short_link_leads_to_its_page_with_its_values(page: Page, address: str) -> None:
    page.goto("/e/aaead811d0809fef#v=reason=x")
    page.wait_for_url(address + SEED_PATH + "#v=reason=x")
    assert page.locator("h1 var").inner_text() == "x"


def test_an_unknown_short_link_says_so(page: Page) -> None:
    page.goto("/e/0000000000000000")
    page.get_by_text("No error has the id 0000000000000000.").wait_for()


def test_a_hostile_record_does_nothing(page: Page) -> None:
    page.goto(KINDS["hostile"] + "#v=reason=%3Cimg%20src%3Dx%20onerror%3Dhacked%3D1%3E")
    page.evaluate(
        """() => {
          addEventListener("click", (event) => event.preventDefault());
          for (const element of document.querySelectorAll("*")) {
            for (const name of ["click", "mouseover", "focus", "load", "error"]) {
              element.dispatchEvent(new Event(name, { bubbles: true, cancelable: true }));
            }
          }
        }"""
    )
    assert page.evaluate("typeof hacked") == "undefined"


def test_the_page_is_whole_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(base_url=address, java_script_enabled=False)
    page = context.new_page()
    page.goto(SEED_PATH)
    assert page.get_by_role("heading", level=2).count() == 9
    assert page.get_by_role("button").count() == 0
    context.close()


def test_the_printed_page_leaves_out_what_paper_cannot_do(page: Page) -> None:
    page.goto(SEED_PATH)
    page.emulate_media(media="print")
    assert not page.get_by_role("button", name="Copy message").is_visible()
    assert page.get_by_role("heading", name="Fixes").is_visible()
