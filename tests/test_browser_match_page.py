"""The paste box of the built site in a real Chromium."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from errdex_site.build import Options, build

CASES = Path(__file__).parent / "cases"
MOUNT = "/some/base"
"""The site stands below a path, as on project pages of hosts."""

LINE = (
    "CheckpointRevisionError: Checkpoint nightly-orders-0412 was written at schema revision 7"
    " but this build reads revision 9; run `flowline migrate` or pin the older build."
)


class _Handler(SimpleHTTPRequestHandler):
    refused: tuple[str, ...] = ()
    """Parts of paths that are answered with 503."""

    def do_GET(self) -> None:
        if any(part in self.path for part in type(self).refused):
            self.send_error(503)
            return
        self.path = self.path.removeprefix(MOUNT)
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(case_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of the site of the case records."""
    folder = tmp_path_factory.mktemp("paste") / "site"
    build(case_database, folder, Options(jobs=1))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}{MOUNT}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page on which every error, and every request to another host, fails the test."""
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on(
        "request",
        lambda asked: None if asked.url.startswith(address) else wrong.append(asked.url),
    )
    yield page
    page.close()
    assert [said for said in wrong if "503" not in said] == []


def first(page: Page) -> tuple[str, str]:
    """Text and address of the first answer."""
    link = page.locator("#answer .best a.found").first
    link.wait_for()
    return link.inner_text(), str(link.get_attribute("href"))


def test_a_typed_line_is_answered_with_its_values_in_the_link(page: Page, address: str) -> None:
    page.goto(f"{address}/")
    page.locator("#text").press_sequentially(LINE)
    text, href = first(page)
    assert text.startswith("Checkpoint {name} was written at schema revision")
    assert href.startswith(f"{address}/acme/flowline/")
    assert href.endswith("#v=name=nightly-orders-0412&found=7&wanted=9")
    expect(page.locator("#answer dl.values")).to_contain_text("nightly-orders-0412")
    expect(page.locator("[role=status]")).to_contain_text("1 found. First: CheckpointRevisionError")


def test_the_link_leads_to_a_page_that_shows_the_values(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    page.locator("#text").fill(LINE)
    page.locator("#answer .best a.found").first.click()
    expect(page.locator("h1")).to_contain_text("nightly-orders-0412")


def test_every_case_has_its_record_first(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    with (CASES / "records.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    slugs = {row["record"]["id"]: row["record"]["slug"] for row in rows if "record" in row}
    slugs |= {row["id"]: row["slug"] for row in rows if "id" in row}
    with (CASES / "pastes.jsonl").open(encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    for case in cases:
        page.evaluate(
            """text => new Promise((done) => {
                 addEventListener("answered", done, { once: true });
                 const box = document.getElementById("text");
                 box.value = text;
                 box.form.requestSubmit();
               })""",
            case["text"],
        )
        links = page.locator("#answer .answers.best a.found").evaluate_all(
            "links => links.map((link) => link.pathname.split('/').at(-2))"
        )
        if case["best"]:
            right = {slugs[one] for one in (*case["best"], *case["acceptable"])}
            assert links, case["id"]
            assert links[0] in right, case["id"]
        else:
            expect(page.locator("#answer h2").first).to_have_text("Nothing known")


def test_the_place_in_the_paste_is_marked(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    page.locator("#text").fill(f"first line\n{LINE}\nlast line")
    first(page)
    marked = page.locator("#answer mark").all_inner_texts()
    assert marked[0] == "Checkpoint "
    assert page.locator("#answer .excerpt").first.inner_text() == LINE


def test_an_address_may_hold_the_text(page: Page, address: str) -> None:
    for mark in ("?", "#"):
        page.goto(f"{address}/match/{mark}q={quote(LINE)}")
        assert first(page)[0].startswith("Checkpoint {name}")
        page.goto("about:blank")


def test_what_nobody_knows_is_said_to_be_unknown(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    page.locator("#text").fill("zzz qqq nothing of the kind was ever raised xyzzy")
    expect(page.locator("#answer h2").first).to_have_text("Nothing known")
    expect(page.locator("[role=status]")).to_have_text("Nothing known.")


def test_errors_with_the_same_words_stand_below_what_nobody_knows(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    page.locator("#text").fill("is there any flowline revision of that checkpoint at hand?")
    expect(page.locator("#answer")).to_contain_text("Nothing known")
    near = page.locator("#answer h2:has-text('Errors with the same words') + ul")
    expect(near.locator("a.found").first).to_contain_text("written at schema revision")
    expect(near.locator(".why").first).to_contain_text("checkpoint")


def test_a_secret_in_the_paste_is_pointed_out_and_masked(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    credential = "ghp_abcdefghijklmnopqrstuvwxyz012345"
    page.locator("#text").fill(LINE.replace("nightly-orders-0412", credential))
    expect(page.locator("#answer .notice")).to_contain_text("seems to hold a secret")
    assert "***" in first(page)[1] or "%2A%2A%2A" in first(page)[1]
    assert credential not in first(page)[1]


def test_hostile_text_is_shown_as_text(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    page.locator("#text").fill(
        LINE.replace("nightly-orders-0412", '<img src=x onerror="alert(1)">\u202e')
    )
    first(page)
    assert page.locator("#answer img").count() == 0
    expect(page.locator("#answer dl.values")).to_contain_text('<img src=x onerror="alert(1)">')
    assert "\u202e" not in page.locator("#answer").inner_text()


def test_a_dropped_file_is_read_and_answered(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    page.locator("#paste").evaluate(
        """(form, text) => {
             const files = new DataTransfer();
             files.items.add(new File([text], "app.log", { type: "text/plain" }));
             const detail = { dataTransfer: files, bubbles: true, cancelable: true };
             form.dispatchEvent(new DragEvent("drop", detail));
           }""",
        f"some log\n{LINE}\n",
    )
    assert first(page)[0].startswith("Checkpoint {name}")
    expect(page.locator("#text")).to_have_value(f"some log\n{LINE}\n")


def test_the_keyboard_is_enough(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    page.locator("#text").focus()
    page.keyboard.insert_text(LINE)
    page.keyboard.press("Control+Enter")
    first(page)
    page.keyboard.press("Tab")  # the button
    page.keyboard.press("Tab")  # the first answer
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("nightly-orders-0412")


def test_only_the_answer_to_the_newest_text_is_shown(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    page.evaluate(
        """texts => {
             const box = document.getElementById("text");
             for (const text of texts) { box.value = text; box.form.requestSubmit(); }
           }""",
        [LINE, "x" * 200_000, "zzz qqq nothing of the kind xyzzy"],
    )
    expect(page.locator("[role=status]")).to_have_text("Nothing known.")
    page.wait_for_timeout(300)
    assert page.locator("#answer .best").count() == 0


def test_an_emptied_box_has_no_answer(page: Page, address: str) -> None:
    page.goto(f"{address}/match/")
    page.locator("#text").fill(LINE)
    first(page)
    page.locator("#text").fill("")
    expect(page.locator("#answer")).to_be_empty()
    expect(page.locator("[role=status]")).to_be_empty()


def test_a_fetch_that_failed_is_told_and_works_when_tried_again(page: Page, address: str) -> None:
    _Handler.refused = ("/k/",)
    try:
        page.goto(f"{address}/match/")
        page.locator("#text").fill(LINE)
        expect(page.locator("#answer .notice")).to_contain_text("Matching did not work: 503")
    finally:
        _Handler.refused = ()
    page.get_by_role("button", name="Find it").click()
    assert first(page)[0].startswith("Checkpoint {name}")


def test_the_text_is_in_no_request(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url + str(request.post_data)))
    page.goto(f"{address}/match/")
    page.locator("#text").fill(LINE)
    first(page)
    assert any("/match/index/" in url for url in asked)
    assert not any("nightly" in url or "Checkpoint" in url for url in asked)


def test_a_traceback_of_300_lines_is_answered(page: Page, address: str) -> None:
    frames = "".join(
        f'  File "/app/module_{n}.py", line {n}, in call_{n}\n    return step_{n}(value)\n'
        for n in range(150)
    )
    page.goto(f"{address}/match/")
    page.locator("#text").fill(f"Traceback (most recent call last):\n{frames}{LINE}")
    assert first(page)[0].startswith("Checkpoint {name}")
