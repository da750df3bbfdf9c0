"""The import graph in `docs/architecture.md`: which part of errdex uses which.

A part is a package, or a module that stands alone. An arrow that follows from others is
left out, so that the picture shows the order in which things are built on each other.
"""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from tools import ROOT

PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- import graph: python -m tools -->", "<!-- end of the import graph -->"

_ROOTS = {
    "errdex": ROOT / "ingest" / "errdex",
    "errdex_site": ROOT / "site" / "errdex_site",
    "datasette_errdex": ROOT / "site" / "datasette_errdex",
}
_EVERYWHERE = {"errdex", "errdex.errors"}
"""What nearly every part uses; drawn, it would hide the rest."""

Graph = dict[str, set[str]]


def outputs() -> dict[Path, str]:
    """The page with today's graph in it."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    picture = f"\n```mermaid\n{drawn(reduced(graph()))}```\n"
    return {PAGE: f"{before}{BEGIN}{picture}{END}{after}"}


def graph() -> Graph:
    """Every part and the parts that it imports, `errdex.cli` apart from what it calls late."""
    found: Graph = {}
    for package, folder in _ROOTS.items():
        for path in sorted(folder.rglob("*.py")):
            part = _part(f"{package}.{path.relative_to(folder).as_posix()[:-3].replace('/', '.')}")
            found.setdefault(part, set())
            found[part] |= {other for other in _imports(path) if other != part}
    return {part: {other for other in used if other in found} for part, used in found.items()}


def _imports(path: Path) -> set[str]:
    """The parts that a file imports; from `errdex.cli`, only at its top."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    late = "cli" in path.parts
    nodes = list(ast.iter_child_nodes(tree)) if late else list(ast.walk(tree))
    found = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            root = node.module.partition(".")[0]
            if root in _ROOTS:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                found |= {_part(name) for name in names if _is_module(name)} or {_part(node.module)}
        elif isinstance(node, ast.Import):
            found |= {_part(a.name) for a in node.names if a.name.partition(".")[0] in _ROOTS}
    return found


def _is_module(name: str) -> bool:
    package, *rest = name.split(".")
    path = _ROOTS[package].joinpath(*rest)
    return path.is_dir() or path.with_suffix(".py").is_file()


def _part(module: str) -> str:
    """`errdex.match.views` → `errdex.match`; all of the site is two parts."""
    names = module.removesuffix(".__init__").split(".")
    return names[0] if names[0] != "errdex" else ".".join(names[:2])


def cycle_free(found: Graph) -> list[str]:
    """The parts, those that use nothing first. Raises graphlib.CycleError."""
    return list(TopologicalSorter(found).static_order())


def reduced(found: Graph) -> Graph:
    """Without arrows that follow from others, and without what is used everywhere."""
    found = {part: used - _EVERYWHERE for part, used in found.items() if part not in _EVERYWHERE}
    reach: Graph = {}
    for part in cycle_free(found):
        reach[part] = found[part].union(*(reach[other] for other in found[part]))
    return {
        part: {
            other
            for other in used
            if not any(other in reach[between] for between in used if between != other)
        }
        for part, used in found.items()
    }


def drawn(found: Graph) -> str:
    """Mermaid's text for the graph."""
    lines = ["flowchart TD"]
    for part in sorted(found):
        lines.append(f'    {_name(part)}["{part.removeprefix("errdex.")}"]')
        lines += [f"    {_name(part)} --> {_name(other)}" for other in sorted(found[part])]
    return "\n".join(lines) + "\n"


def _name(part: str) -> str:
    return part.replace(".", "_")
