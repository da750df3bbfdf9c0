"""One line of JSON → one record, or every fault that it has, each with its path."""

from __future__ import annotations

import base64
from hashlib import sha256
from typing import NamedTuple

import msgspec

from errdex.faults import Faulty, faults_of, malformed, shown, unknown_fields
from errdex.records import Entry, Record, contradictions

__all__ = ["Faulty", "Outside", "decode_line", "decode_record", "unwrap"]

_FAULTS = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
_NUL = b"\\u0000"


class Outside(NamedTuple):
    """A line without its envelope: the bytes of the record, and what stood around it."""

    record: bytes
    dataset_version: str | None
    root: str
    """The path of the record in the line."""
    extra: dict[str, object]
    """Unknown fields of the envelope, by `envelope:NAME`."""

    @property
    def digest(self) -> bytes:
        """Stands for the record as it was written, byte by byte."""
        return sha256(self.record).digest()[:16]


class _Envelope(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    record: msgspec.Raw
    dataset_version: str | None = None


class _Reject(msgspec.Struct, forbid_unknown_fields=True):
    """A line of a rejects file, which a person may have mended."""

    source: str
    line: int
    reasons: list[str]
    text: str | None = None
    base64: str | None = None


_envelope = msgspec.json.Decoder(_Envelope)
_reject = msgspec.json.Decoder(_Reject)
_record = msgspec.json.Decoder(Record)
_version = msgspec.json.Decoder(str | None)
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw])
_KNOWN = frozenset(field.encode_name for field in msgspec.structs.fields(Record))
_NOTHING: dict[str, object] = {}


def decode_line(line: bytes) -> Entry:
    """Decode the envelope `{"record": …, "datasetVersion": …}` or a bare record.

    Raises Faulty with every fault of the record at once.
    """
    outside = unwrap(line)
    record, extra = decode_record(outside)
    return Entry(record=record, dataset_version=outside.dataset_version, extra=extra)


def unwrap(line: bytes) -> Outside:
    """Take a line out of its envelope, or out of a rejects file. Raises Faulty."""
    try:
        envelope = _envelope.decode(line)
    except msgspec.ValidationError:
        return _unwrap_other(line)
    except _FAULTS as problem:
        raise Faulty([malformed(line, problem)]) from None
    return Outside(bytes(envelope.record), envelope.dataset_version, "$.record", _NOTHING)


def _unwrap_other(line: bytes) -> Outside:
    """A bare record, an envelope with unknown fields, or a line of a rejects file."""
    try:
        fields = _fields.decode(line)
    except msgspec.ValidationError:
        raise Faulty([f"expected object, got {shown(line)} at $"]) from None
    if "record" in fields:
        try:
            version = _version.decode(fields.get("datasetVersion", b"null"))
        except msgspec.ValidationError:
            got = shown(bytes(fields["datasetVersion"]))
            raise Faulty([f"expected str, got {got} at $.datasetVersion"]) from None
        unknown = {key: raw for key, raw in fields.items() if key not in _ENVELOPE}
        extra = {f"envelope:{key}": value for key, value in unknown_fields(unknown, "$").items()}
        return Outside(bytes(fields["record"]), version, "$.record", extra)
    if "reasons" in fields:
        try:
            reject = _reject.decode(line)
            inner = reject.text.encode() if reject.text else base64.b64decode(reject.base64 or "")
        except (msgspec.ValidationError, ValueError):
            pass
        else:
            return _unwrap_inner(inner)
    return Outside(line, None, "$", _NOTHING)


_ENVELOPE = frozenset({"record", "datasetVersion"})


def _unwrap_inner(line: bytes) -> Outside:
    """What a line of a rejects file holds; a reject in a reject is not taken out again."""
    if b'"reasons"' in line and _is_reject(line):
        raise Faulty(["expected a record, got a line of a rejects file inside another at $.text"])
    return unwrap(line.strip())


def _is_reject(line: bytes) -> bool:
    try:
        _reject.decode(line)
    except _FAULTS:
        return False
    return True


def decode_record(outside: Outside) -> tuple[Record, dict[str, object]]:
    """The record, and the fields that schemaVersion 2 does not name. Raises Faulty."""
    extra = outside.extra
    try:
        record = _record.decode(outside.record)
        if _NUL in outside.record:
            record, extra = _decode_slowly(outside)
    except _FAULTS:
        record, extra = _decode_slowly(outside)
    found = contradictions(record)
    if found:
        raise Faulty([f"{what} at {outside.root}{path[1:]}" for path, what in found])
    return record, extra


def _decode_slowly(outside: Outside) -> tuple[Record, dict[str, object]]:
    """Set unknown fields aside and try again; else find every fault."""
    try:
        fields = _fields.decode(outside.record)
    except msgspec.ValidationError:
        got = shown(outside.record)
        raise Faulty([f"expected object, got {got} at {outside.root}"]) from None
    except _FAULTS as problem:
        raise Faulty([malformed(outside.record, problem)]) from None
    faults = faults_of(fields, outside.root) if _NUL in outside.record else []
    known = {name: raw for name, raw in fields.items() if name in _KNOWN}
    unknown = {name: raw for name, raw in fields.items() if name not in _KNOWN}
    try:
        record = _record.decode(msgspec.json.encode(known))
    except _FAULTS:
        faults = faults_of(fields, outside.root)
    try:
        extra = unknown_fields(unknown, outside.root) if unknown else {}
    except Faulty as faulty:
        faults += faulty.faults
    if faults:
        raise Faulty(faults)
    return record, {**outside.extra, **extra}
