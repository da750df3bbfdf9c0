"""An import into a database that may be served lets what serves it come first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from errdex.background import NICENESS

SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
PRIORITY = """
import os, sys
from errdex.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    print(f"{end.code} at {os.getpriority(os.PRIO_PROCESS, 0)}")
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no priorities")


def own() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def ends(folder: Path, *, niced: int = 0) -> str:
    """The exit code of an import, and the priority at its end."""
    command = [sys.executable, "-c", PRIORITY, "ingest", str(SEED), "--db", "errdex.db"]
    told = subprocess.run(
        ["nice", "-n", str(niced), *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.splitlines()[-1]


def test_a_first_import_keeps_its_priority(tmp_path: Path) -> None:
    assert ends(tmp_path) == f"0 at {own()}"


def test_a_later_import_steps_back(tmp_path: Path) -> None:
    ends(tmp_path)
    assert ends(tmp_path) == f"0 at {max(own(), NICENESS)}"


def test_an_import_that_was_started_with_less_priority_keeps_that(tmp_path: Path) -> None:
    ends(tmp_path)
    assert ends(tmp_path, niced=15) == f"0 at {min(19, own() + 15)}"


def test_up_loads_without_stepping_back_as_it_serves_afterwards(tmp_path: Path) -> None:
    ends(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "errdex", "up", str(SEED), "--port", "0"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == ("1 read: 0 added, 0 changed, 1 unchanged, 0 rejected.\n")
    assert process.stdout.readline().startswith("Serving")
    found = os.getpriority(os.PRIO_PROCESS, process.pid)
    process.kill()
    process.communicate()
    assert found == own()
