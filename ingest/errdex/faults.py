"""What is wrong with a record: every fault at once, each with its path.

Used only for lines that the fast decoder in `errdex.decode` refuses, so it may be slow.
A fault reads `expected int, got "ten" at $.record.lineNumber`.
"""

from __future__ import annotations

import re
from typing import Literal, get_args, get_origin

import msgspec

from errdex.records import EXPECTED, RULES, Record

_SHOWN = 60
_FIELDS = {
    field.encode_name: (RULES.get(field.encode_name, field.type), field.required)
    for field in msgspec.structs.fields(Record)
}
_any = msgspec.json.Decoder()
_items = msgspec.json.Decoder(list[msgspec.Raw])
_MISFIT = re.compile(r"Expected `([^`]*)`(?: (>= \S+|<= \S+|of length [<>]= \d+))?")
_BYTE = re.compile(r"^(?:JSON is malformed: )?(.*?)(?: \(byte (\d+)\))?$", re.DOTALL)
_HIGH = re.compile(
    rb"(?<!\\)(?:\\\\)*\\u(d[89ab][0-9a-f]{2})(?!\\ud[c-f][0-9a-f]{2})", re.IGNORECASE
)
_LOW = re.compile(rb"(?<!\\ud[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})", re.IGNORECASE)


class Faulty(Exception):
    """A line that is not a well-formed record; `faults` are sentences without a place."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


def shown(raw: bytes | str, most: int = _SHOWN) -> str:
    """A value as a fault quotes it: short, and without signs that a terminal obeys."""
    text = raw if isinstance(raw, str) else raw[: 4 * most].decode("utf-8", "replace")
    text = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text)


def malformed(data: bytes, problem: Exception) -> str:
    """Why these bytes are no JSON text in UTF-8."""
    if isinstance(problem, RecursionError):
        return "expected JSON, got lists or objects nested too deeply"
    try:
        data.decode()
    except UnicodeDecodeError as wrong:
        at = wrong.start
        return f"expected UTF-8, got byte 0x{data[at]:02x} at byte {at + 1}"
    lone = _HIGH.search(data) or _LOW.search(data)
    if lone:
        half = f"\\u{lone[1].decode()}"
        return f"expected Unicode text, got half a character ({half}) at byte {lone.start(1) - 1}"
    what, at_byte = _BYTE.match(str(problem)).groups()  # type: ignore[union-attr]  # takes all
    if "truncated" in what:
        return f"expected JSON, got {shown(data)}, which breaks off"
    if at_byte is None:
        return f"expected JSON, got {shown(data)} ({what.lower()})"
    if data[:1] not in (b"{", b"["):
        return f"expected JSON, got {shown(data)} at byte 1"
    return f"expected JSON, got {shown(data[int(at_byte) :] or data)} at byte {int(at_byte) + 1}"


def faults_of(fields: dict[str, msgspec.Raw], root: str) -> list[str]:
    """Every fault of the known fields of a record, in the record's order."""
    found = []
    for name, (kind, required) in _FIELDS.items():
        path = f"{root}.{name}"
        if name in fields:
            found += _faults_of_field(name, kind, bytes(fields[name]), path)
        elif required:
            wanted = "array" if get_origin(kind) is list else _expected(name, kind)
            found.append(f"expected {wanted}, got nothing at {path}")
    return found


def unknown_fields(fields: dict[str, msgspec.Raw], root: str) -> dict[str, object]:
    """The values of fields that are kept but not known. Raises Faulty."""
    values: dict[str, object] = {}
    faults = []
    for name, raw in fields.items():
        try:
            values[name] = _any.decode(raw)
            msgspec.json.encode(values[name])
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, ValueError) as problem:
            faults.append(f"{str(problem).lower()} at {root}.{shown(name)}")
    if faults:
        raise Faulty(faults)
    return values


def _faults_of_field(name: str, kind: object, raw: bytes, path: str) -> list[str]:
    if get_origin(kind) is list:
        try:
            items = _items.decode(raw)
        except msgspec.ValidationError:
            return [f"expected array, got {shown(raw)} at {path}"]
        (item,) = get_args(kind)
        return [
            fault
            for number, value in enumerate(items)
            for fault in _faults_of_field(name, item, bytes(value), f"{path}[{number}]")
        ]
    try:
        value = msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as problem:
        return [f"expected {_expected(name, kind, str(problem))}, got {shown(raw)} at {path}"]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        return [f"{malformed(raw, problem)} at {path}"]
    if isinstance(value, str) and "\0" in value:
        return [f"expected text without NUL characters, got {shown(raw)} at {path}"]
    return []


def _expected(name: str, kind: object, problem: str = "Expected `str`") -> str:
    """What the field must hold, in words."""
    misfit = _MISFIT.match(problem)
    choices = _choices(kind)
    if choices:
        return "one of " + ", ".join(map(str, choices)) if len(choices) > 1 else str(choices[0])
    if misfit is None:
        return f"a number in range ({problem.lower()})"
    wanted = misfit[1].replace(" | null", "")
    if name in EXPECTED and wanted == "str" and ", got" not in problem:
        return EXPECTED[name]
    return f"{wanted} {misfit[2]}" if misfit[2] else wanted


def _choices(kind: object) -> tuple[object, ...]:
    """The values of a Literal, or of a Literal or null."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    for part in get_args(kind):
        if get_origin(part) is Literal:
            return get_args(part)
    return ()
