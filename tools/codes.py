"""`docs/codes.md`: every code of errdex's own, from the classes and the records beside them."""

from __future__ import annotations

from pathlib import Path

from errdex.errors import registry
from tools import ROOT
from tools.own_errors import read

PAGE = ROOT / "docs" / "codes.md"

_HEAD = """\
# Codes

<!-- Written by `python -m tools` from the errors themselves; do not edit. -->

What stops errdex is told in one sentence that ends with a code. `errdex explain CODE` says more,
offline, and so does the page of each on a site that holds the records that ship. A code never
changes its meaning and is never used again.
"""

_GROUPS = {
    "ED1": "Sources and records",
    "ED2": "The database",
    "ED3": "Matching",
    "ED4": "Pages and the build",
    "ED5": "Serving",
    "ED6": "The command line",
}


def outputs() -> dict[Path, str]:
    """The page: a table for each group of codes."""
    parts = [_HEAD]
    first = {code: str(_solutions(fields)[0]) for code, fields in read().items()}
    for start, name in _GROUPS.items():
        rows = [
            f"| `{code}` | {_cell(_unescaped(cls.template))} | {_cell(first[code])} |"
            for code, cls in registry().items()
            if code.startswith(start)
        ]
        head = [f"## {name}\n", "| code | message | first fix |", "|---|---|---|"]
        parts.append("\n".join([*head, *rows, ""]))
    return {PAGE: "\n".join(parts)}


def _solutions(fields: dict[str, object]) -> list[object]:
    solutions = fields["solutions"]
    if not isinstance(solutions, list) or not solutions:
        raise SystemExit(f"data/errdex.jsonl: {fields['errorCode']} has no solutions")
    return solutions


def _unescaped(template: str) -> str:
    """The template as people read it: a brace that stands for itself is doubled there."""
    return template.replace("{{", "{").replace("}}", "}")


def _cell(text: str) -> str:
    """Text as it can stand in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
