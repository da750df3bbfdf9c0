"""errdex's own errors as records: `data/errdex.jsonl`.

People write what an error means and how to mend it. What the code knows (class, message,
pattern, place, snippet, id) is taken from the code, so that it cannot rot. A new record is
a line with the fields of `WRITTEN` alone; the rest is filled in.
"""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from string import Formatter
from typing import NamedTuple, TypeAlias

import msgspec

from errdex.errors import ErrdexError, ServiceError, registry
from errdex.records import MAX_SNIPPET_LINES, Record
from tools import ROOT

RECORDS = ROOT / "data" / "errdex.jsonl"
REPO = "errdex/errdex"
ADDRESS: str | None = None
"""Where the source can be read, such as `https://github.com/errdex/errdex`; set it once
when the project has a public address, and `githubUrl` follows. None leaves it out."""

WRITTEN = (
    "errorCode",
    "severity",
    "documentation",
    "triggerScenarios",
    "commonSituations",
    "solutions",
    "exampleFix",
    "handlingStrategy",
    "preventionTips",
    "tags",
    "backgroundTag",
)
"""The fields that people write."""

_PACKAGES = ("ingest/errdex", "site/errdex_site", "site/datasette_errdex")
_BEFORE, _AFTER = 14, 6
_STAMPS = ("analyzedSha", "analyzedAt")

Fields: TypeAlias = dict[str, object]


class RaiseSite(NamedTuple):
    """Where the code raises an error, and the lines around it."""

    path: str
    line: int
    start: int
    end: int
    code: str


def outputs() -> dict[Path, str]:
    """The file as it should be. Ends the program if a record is missing or has no error."""
    stored = read()
    missing = [f"{code} {cls.__name__}" for code, cls in registry().items() if code not in stored]
    unknown = sorted(stored.keys() - registry().keys())
    if missing or unknown:
        raise SystemExit(
            f"{RECORDS.relative_to(ROOT)}: no record for {', '.join(missing) or 'none'};"
            f" no error for {', '.join(unknown) or 'none'}"
        )
    derived = {code: _derived(cls, stored[code]) for code, cls in registry().items()}
    stamps = _stamps([(stored[code], derived[code]) for code in derived])
    lines = [_line(_linked(fields | stamps)) for _, fields in sorted(derived.items())]
    return {RECORDS: "".join(lines)}


def read() -> dict[str, Fields]:
    """The records of the file by their code."""
    lines = RECORDS.read_text(encoding="utf-8").splitlines()
    decoded = [msgspec.json.decode(line, type=dict[str, msgspec.Raw]) for line in lines]
    raws = [fields.get("record", line) for fields, line in zip(decoded, lines, strict=True)]
    records = [msgspec.json.decode(raw, type=Fields) for raw in raws]
    return {str(record["errorCode"]): record for record in records}


def pattern(cls: type[ErrdexError]) -> str:
    """The pattern that the printed messages of a class match."""
    parts = Formatter().parse(cls.template)
    return "".join(
        re.escape(literal).replace(r"\ ", " ") + ("" if name is None else "(.+?)")
        for literal, name, _form, _conversion in parts
    )


def raise_site(cls: type[ErrdexError], known: str | None = None) -> RaiseSite | None:
    """The first place in the code that raises the class, in the file `known` if it can be.

    None if nothing raises it.
    """
    for path, tree in sorted(_trees(), key=lambda pair: pair[0] != known):
        for function, line in _raises(tree, cls.__name__):
            text = (ROOT / path).read_text(encoding="utf-8").splitlines()
            start, end = function
            if end - start >= MAX_SNIPPET_LINES:
                start, end = max(start, line - _BEFORE), min(end, line + _AFTER)
            return RaiseSite(path, line, start, end, "\n".join(text[start - 1 : end]))
    return None


@cache
def _trees() -> list[tuple[str, ast.Module]]:
    found = [path for package in _PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [
        (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in found
    ]


def _raises(tree: ast.Module, name: str) -> Iterator[tuple[tuple[int, int], int]]:
    """The lines of a function, and the line in it that raises NAME, or else makes one."""
    functions = [
        node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    nodes = list(ast.walk(tree))
    raises: list[ast.Raise | ast.Call] = [
        node for node in nodes if isinstance(node, ast.Raise) and _names(node.exc, name)
    ]
    calls = [node for node in nodes if isinstance(node, ast.Call) and _names(node.func, name)]
    for node in sorted(raises or calls, key=lambda node: node.lineno):
        around = [
            (function.lineno, function.end_lineno or function.lineno)
            for function in functions
            if function.lineno <= node.lineno <= (function.end_lineno or 0)
        ]
        yield max(around, default=(node.lineno, node.lineno)), node.lineno


def _names(node: ast.expr | None, name: str) -> bool:
    """True for `NAME` and `NAME(…)`."""
    named = node.func if isinstance(node, ast.Call) else node
    return isinstance(named, ast.Name) and named.id == name


def _derived(cls: type[ErrdexError], stored: Fields) -> Fields:
    """The record as it should be: what people wrote, and what the code says today."""
    before = stored.get("filePath")
    site = raise_site(cls, before if isinstance(before, str) else None)
    if site is None:
        raise SystemExit(f"{cls.__name__} is raised nowhere; take it out of errdex/errors.py")
    code = cls.code
    status = cls.status if issubclass(cls, ServiceError) else None
    fields: Fields = {field.encode_name: None for field in msgspec.structs.fields(Record)}
    fields |= {name: stored[name] for name in WRITTEN if name in stored}
    fields |= {
        "id": hashlib.sha256(f"{REPO}:{code}".encode()).hexdigest()[:16],
        "repo": REPO,
        "slug": re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower(),
        "errorCode": code,
        "errorClass": cls.__name__,
        "errorMessage": cls.template.replace("{{", "{").replace("}}", "}"),
        "messagePattern": pattern(cls),
        "errorType": "error_code" if status is None else "http",
        "httpStatus": status,
        "filePath": site.path,
        "lineNumber": site.line,
        "sourceCode": site.code,
        "sourceCodeStart": site.start,
        "sourceCodeEnd": site.end,
        "analyzedSha": stored.get("analyzedSha"),
        "analyzedAt": stored.get("analyzedAt"),
        "schemaVersion": 2,
    }
    return _linked(fields)


def _linked(fields: Fields) -> Fields:
    """The record with the address of its snippet, where the project has one."""
    if ADDRESS is None:
        return fields
    lines = f"#L{fields['sourceCodeStart']}-L{fields['sourceCodeEnd']}"
    place = f"blob/{fields['analyzedSha']}/{fields['filePath']}{lines}"
    return fields | {"githubUrl": f"{ADDRESS}/{place}"}


def _stamps(pairs: list[tuple[Fields, Fields]]) -> Fields:
    """Commit and time of this analysis: those of the last one if nothing else has changed."""
    seen = {tuple(str(stored.get(name)) for name in _STAMPS) for stored, _ in pairs}
    if len(seen) == 1 and all(stored == derived for stored, derived in pairs):
        return {}
    head = ["git", "rev-parse", "HEAD"]
    sha = subprocess.run(head, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"analyzedSha": sha, "analyzedAt": now}


def _line(fields: Fields) -> str:
    """One line of the file: the record in its envelope."""
    envelope = {"record": fields, "datasetVersion": fields["analyzedAt"]}
    return msgspec.json.encode(envelope).decode() + "\n"
