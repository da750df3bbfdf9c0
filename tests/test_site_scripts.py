"""The pages' small scripts, by Node's own test runner."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "js"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.test.mjs")), ids=lambda file: file.name)
def test_a_script_does_as_its_tests_say(file: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is missing here")
    done = subprocess.run([node, "--test", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
