"""Retake the README's picture: the page of an error, reached from a pasted log line.

    python -m tools.picture

Needs Chromium at /usr/bin/chromium. The picture is taken from `errdex up` with what ships.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

from tools import ROOT

PICTURE = ROOT / "docs" / "images" / "page.png"
_SIZE = {"width": 1000, "height": 1085}
_LINE = (
    "(EngineCore pid=412) ERROR 11-30 12:00:01 [core.py:88] ValueError: LoRA with"
    " EAGLE/NEXTN/EAGLE3 speculative decoding does not support"
    " SGLANG_ENABLE_OVERLAP_PLAN_STREAM=1: LoRA batch preparation would run on the plan"
    " stream, unordered against in-flight forwards."
)


def main() -> None:
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                  "--disable-background-networking", "--disable-component-update",
                  "--disable-sync"],
        )  # fmt: skip
        page = browser.new_page(viewport=_SIZE, color_scheme="light")  # type: ignore[arg-type]  # a dict of two
        page.goto(f"{address}match/")
        page.get_by_role("textbox").first.fill(_LINE)
        page.get_by_role("button", name=re.compile("match|find", re.IGNORECASE)).first.click()
        page.wait_for_load_state("networkidle")
        page.locator("main a", has_text="LoRA").first.click()
        page.wait_for_load_state("networkidle")
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURE)
        browser.close()
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size:,} bytes")


@contextmanager
def served() -> Iterator[str]:
    """`errdex up` in a folder of its own; its address."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "errdex", "up", "--port", "0"],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            printed = process.stdout or ()
            found = (re.search(r"http://127\.0\.0\.1:\d+/", line) for line in printed)
            yield next(address[0] for address in found if address)
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
