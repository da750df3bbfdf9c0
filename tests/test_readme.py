"""The examples of the README and of the tutorial, run as a reader would run them.

A `text` block right after a `bash` block is what it prints; a line `…` in it stands for
any lines.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", ROOT / "docs" / "tutorial.md")

_BLOCK = re.compile(
    r"(?P<mark><!-- (?:command|not run): [^\n]*-->\n)?```bash\n(?P<script>.*?)```\n"
    r"(?:\n```text\n(?P<printed>.*?)```\n)?",
    re.DOTALL,
)


class Example(NamedTuple):
    """One block of commands."""

    script: str
    printed: str | None
    """What it prints; None where the page does not say."""


def examples(page: Path) -> list[Example]:
    found = _BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Example(one["script"], one["printed"]) for one in found if not one["mark"]]


def as_pattern(printed: str) -> str:
    any_lines = r"(?:.*\n)*?"
    lines = printed.splitlines()
    return "".join(any_lines if line == "…" else re.escape(line) + "\n" for line in lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_work_in_order(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "data", tmp_path / "data")
    environment = {name: value for name, value in os.environ.items() if "ERRDEX" not in name}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    found = examples(page)
    assert len(found) >= 4
    for example in found:
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", example.script],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, f"{example.script}\n{result.stdout}{result.stderr}"
        if example.printed is not None:
            assert re.fullmatch(as_pattern(example.printed), result.stdout), result.stdout


@pytest.mark.parametrize("name", ["run", "test"])
def test_the_readme_has_one_command_for_each_purpose(name: str) -> None:
    tool = [sys.executable, ROOT / ".ci" / "readme_command.py", name]
    result = subprocess.run(tool, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("python3 -m venv .venv && ")
    assert result.stdout.count("\n") == 1


def test_contributing_names_the_same_set_up_as_the_readme() -> None:
    tool = [sys.executable, ROOT / ".ci" / "readme_command.py", "test"]
    command = subprocess.run(tool, capture_output=True, text=True).stdout
    assert command in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
