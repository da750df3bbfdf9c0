"""Python source → the errors that it raises or logs, with everything that the source tells.

An error is a `raise X(message)` or a `log.error(message)` whose message is written out: as a
string, an f-string, or a string filled with `%` or `.format`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST_LINE = 2000
"""A file with a longer one was written by no person."""

_PERCENT = re.compile(r"%(?:\((\w+)\))?[-#0 +]*[\d*]*(?:\.[\d*]+)?[sdrifgxXeE]")
_BRACES = re.compile(r"\{(\w*)[^{}]*\}")
_LOGGED = {"error", "exception", "critical", "fatal"}


class Part(NamedTuple):
    """A piece of a message: text, or a value with a name."""

    text: str
    value: bool = False


class Found(NamedTuple):
    """One error in a file."""

    parts: tuple[Part, ...]
    error_class: str | None
    """None for what is logged."""
    line: int
    last_line: int
    function: str
    docstring: str
    """Of the function around it."""


def errors_in(source: str) -> Iterator[Found]:
    """Every error of a file, in the order of its lines; nothing if it does not parse."""
    if max(map(len, source.split("\n"))) > LONGEST_LINE:
        return
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    yield from _walk(tree, "module", "")


def _walk(node: ast.AST, function: str, docstring: str) -> Iterator[Found]:
    """The errors of the statements in a node; what is logged within an expression is not seen."""
    for child in _statements(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _walk(child, child.name, ast.get_docstring(child) or "")
            continue
        found = _error(child.value if isinstance(child, ast.Expr) else child)
        if found is not None:
            parts, error_class, message = found
            last = getattr(child, "end_lineno", None) or message.lineno
            yield Found(parts, error_class, message.lineno, last, function, docstring)
        yield from _walk(child, function, docstring)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    yield from getattr(node, "body", ())
    for block in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from block.body
    yield from getattr(node, "orelse", ())
    yield from getattr(node, "finalbody", ())


def _error(node: ast.AST) -> tuple[tuple[Part, ...], str | None, ast.expr] | None:
    """The message of a statement that raises or logs, its class, and where it begins."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
        name, call = _name(node.exc.func), node.exc
        if not name[:1].isupper():
            return None
    elif isinstance(node, ast.Call) and _is_logging(node) and node.args:
        name, call = None, node
    else:
        return None
    parts = _parts(call.args[0])
    if parts is None or sum(len(part.text) for part in parts if not part.value) < 8:
        return None
    return tuple(parts), name, call


def _is_logging(call: ast.Call) -> bool:
    function = call.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr in _LOGGED
        and _name(function.value).lower() in ("log", "logger", "logging", "_logger", "_log")
    )


def _name(node: ast.AST) -> str:
    """The last name of an expression: what a reader would call its value."""
    while isinstance(node, ast.Call | ast.Subscript | ast.Starred | ast.Await):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else "value"


def _parts(node: ast.expr) -> list[Part] | None:
    """What a message is put together from; None if its text is not written out here."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [Part(node.value)]
    if isinstance(node, ast.JoinedStr):
        return [
            Part(str(value.value))
            if isinstance(value, ast.Constant)
            else Part(_name(value.value), True)  # type: ignore[attr-defined]  # a FormattedValue
            for value in node.values
        ]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _filled(node.left, _PERCENT)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = [_parts(node.left), _parts(node.right)]
        if not any(sides):
            return None
        left, right = sides
        left = left if left is not None else [Part(_name(node.left), True)]
        return left + (right if right is not None else [Part(_name(node.right), True)])
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "format"
    ):
        return _filled(node.func.value, _BRACES)
    return None


def _filled(node: ast.expr, placeholder: re.Pattern[str]) -> list[Part] | None:
    """The parts of a template that `%` or `.format` fills."""
    whole = _parts(node)
    if whole is None or any(part.value for part in whole):
        return None
    text, at, parts = "".join(part.text for part in whole), 0, []
    for number, hit in enumerate(placeholder.finditer(text)):
        parts.append(Part(text[at : hit.start()]))
        parts.append(Part(hit[1] or f"value{number}", True))
        at = hit.end()
    return [part for part in [*parts, Part(text[at:])] if part.text]
