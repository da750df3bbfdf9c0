"""The distribution: its metadata, what importing costs, and which way imports point."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import errdex
from tools import import_graph

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SLOW = ("datasette", "jinja2", "pygments", "markdown_it", "rich", "uvicorn", "sqlite_utils")


def test_the_version_is_the_same_everywhere() -> None:
    assert PROJECT["project"]["version"] == errdex.__version__


def test_the_wheel_takes_every_package_and_every_folder_that_ships() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    roots = [path.parent for path in ROOT.glob("*/*/__init__.py")]
    packages = [path.relative_to(ROOT).as_posix() for path in roots]
    assert sorted(wheel["packages"]) == sorted(
        name for name in packages if name.split("/")[0] in ("ingest", "site")
    )
    assert {"templates", "data"} <= set(wheel["force-include"])


OTHER_NAMES = {"re2": "google-re2", "markdown_it": "markdown-it-py", "sqlite_utils": "sqlite-utils"}
LATER = {"compression"}
"""In the standard library, but not of every Python that errdex runs on."""

NOT_BY_US = {"backports.zstd", "httptools", "uvloop"}
"""Imported under another name, or by uvicorn where they are there."""


def imported() -> set[str]:
    """The distributions that the packages import."""
    found = set()
    for path in [*ROOT.glob("ingest/**/*.py"), *ROOT.glob("site/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(node.module or "")
    tops = {name.partition(".")[0] for name in found} - {"backports", "_typeshed"}
    others = tops - sys.stdlib_module_names - LATER
    return {OTHER_NAMES.get(name, name) for name in others if "errdex" not in name}


def test_what_is_imported_is_declared_and_what_is_declared_is_imported() -> None:
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    declared = [*project["dependencies"], *extras["fast"], *extras["mcp"]]
    names = {re.split(r"[<>=; ]", line)[0] for line in declared} - NOT_BY_US
    assert names == imported()


@pytest.mark.parametrize("root", ["ingest", "site"])
def test_a_root_is_no_package(root: str) -> None:
    loose = [path.name for path in (ROOT / root).iterdir() if path.suffix == ".py"]
    assert loose == []


@pytest.mark.parametrize("package", ["ingest/errdex", "site/errdex_site", "site/datasette_errdex"])
def test_a_package_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


def test_the_public_names_are_few_and_can_be_imported() -> None:
    assert len(errdex.__all__) <= 12
    assert set(errdex.__all__) <= set(dir(errdex))
    assert [name for name in errdex.__all__ if not hasattr(errdex, name)] == []


def test_imports_have_no_cycle_and_point_one_way() -> None:
    graph = import_graph.graph()
    import_graph.cycle_free(
        {part: used - {"errdex"} for part, used in graph.items() if part != "errdex"}
    )
    core = {
        part: used
        for part, used in graph.items()
        if part.split(".")[0] == "errdex" and part != "errdex.cli"
    }
    backwards = {"errdex_site", "datasette_errdex", "errdex.cli"}
    assert {part: used & backwards for part, used in core.items() if used & backwards} == {
        "errdex.__main__": {"errdex.cli"}
    }
    assert graph["errdex_site"] & {"datasette_errdex", "errdex.cli"} == set()
    assert "errdex.cli" not in graph["datasette_errdex"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["match", "a text", "--db", "none.db"],
        ["explain", "ED101"],
        ["show", "x", "--db", "none.db"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_quick_command_imports_nothing_slow(arguments: list[str]) -> None:
    program = (
        "import sys\n"
        "from errdex.cli import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit: pass\n"
        f"print('slow:', [name for name in {SLOW!r} if name in sys.modules])\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.endswith("slow: []\n"), result.stdout + result.stderr
