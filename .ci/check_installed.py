"""Prove that an installed errdex finds its own templates, static files and records.

    cd / && VENV/bin/python -I check_installed.py CHECKOUT

Fails if anything of errdex comes from the checkout instead of the environment.
"""

from __future__ import annotations

import importlib
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import quote, urljoin

LINE = (
    "ValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding does not support"
    " SGLANG_ENABLE_OVERLAP_PLAN_STREAM=1: LoRA batch preparation would run on the plan"
    " stream, unordered against in-flight forwards."
)
RECORD = "aaead811d0809fef"
ERRDEX = Path(sys.executable).parent / "errdex"


def main() -> None:
    checkout = Path(sys.argv[1]).resolve()
    for name in ("errdex", "errdex_site", "datasette_errdex"):
        place = Path(str(importlib.import_module(name).__file__)).resolve()
        expect(checkout not in place.parents, f"{name} was imported from {place}")
        expect(Path(sys.prefix).resolve() in place.parents, f"{name} was imported from {place}")
    folder = Path(tempfile.mkdtemp())
    try:
        check_service(folder)
        check_commands(folder)
    finally:
        shutil.rmtree(folder)
    print("errdex, installed elsewhere, serves, builds, matches and explains")


def check_service(folder: Path) -> None:
    """`errdex up` serves pages, static files, answers, and Datasette's tables."""
    process = subprocess.Popen(
        [ERRDEX, "up", "--port", "0"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    printed = []
    try:
        address = None
        for line in process.stdout:
            printed.append(line)
            found = re.search(r"http://127\.0\.0\.1:\d+/", line)
            if found:
                address = found[0]
                break
        expect(address is not None, "".join(printed))
        check_pages(str(address))
    finally:
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=30)[0]
    expect(process.returncode == 0, f"errdex up ended with {process.returncode}: {rest}")


def check_pages(address: str) -> None:
    where, page = fetched(f"{address}e/{RECORD}")
    expect("LoRA with EAGLE" in page, "the record's page lacks its message")
    styles = re.findall(r'<link[^>]* href="([^"]+\.css[^"]*)"', page)
    scripts = re.findall(r'<script[^>]* src="([^"]+\.js[^"]*)"', page)
    expect(bool(styles and scripts), "the record's page names no style sheet or no script")
    for part in styles + scripts:
        expect(len(get(urljoin(where, part))) > 100, f"{part} is empty")
    expect("<h1" in get(address), "there is no home page")
    expect("errdex explain" in get(f"{address}docs/cli/"), "the documentation is not there")
    answer = json.loads(get(f"{address}match.json?q={quote(LINE)}"))
    expect(answer["matches"][0]["id"] == RECORD, f"matched {answer}")
    expect("errors" in get(f"{address}-/databases.json") + get(f"{address}db"), "no Datasette")


def check_commands(folder: Path) -> None:
    """The other commands that read what ships."""
    expect(RECORD in run(folder, "match", LINE), "errdex match did not find the record")
    expect("ED101" in run(folder, "explain", "ED101"), "errdex explain does not know ED101")
    run(folder, "build", "--out", "site")
    for name in ("index.html", "match/index.html", "docs/index.html", "errdex/errdex/index.html"):
        expect((folder / "site" / name).is_file(), f"the built site lacks {name}")


def run(folder: Path, *arguments: str) -> str:
    result = subprocess.run([ERRDEX, *arguments], cwd=folder, capture_output=True, text=True)
    expect(result.returncode == 0, f"errdex {arguments[0]}: {result.stdout}{result.stderr}")
    return result.stdout


def get(address: str) -> str:
    return fetched(address)[1]


def fetched(address: str) -> tuple[str, str]:
    """Where the address leads, and what is there."""
    with urllib.request.urlopen(address, timeout=30) as response:
        return response.url, response.read().decode()


def expect(holds: bool, otherwise: str) -> None:
    if not holds:
        sys.exit(f"check_installed: {otherwise}")


if __name__ == "__main__":
    main()
