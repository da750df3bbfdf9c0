"""One line of JSON → one record, or every fault that it has, each with its path."""

from __future__ import annotations

import base64
import re
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

import msgspec

from errdex.faults import Faulty, faults_of, malformed, shown, unknown_fields
from errdex.records import Entry, Record, contradictions, is_plainly_right

__all__ = ["Decoded", "Faulty", "Fingerprint", "decode", "decode_line", "fingerprint"]

_FAULTS = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
_NUL = b"\\u0000"
_ENVELOPE = frozenset({"record", "datasetVersion"})
_KNOWN = frozenset(field.encode_name for field in msgspec.structs.fields(Record))
_NOTHING: dict[str, object] = {}


class Decoded(NamedTuple):
    """A well-formed record, and what stood around it."""

    record: Record
    dataset_version: str | None
    extra: dict[str, object]
    """Unknown fields of the record by name, and of its envelope by `envelope:NAME`."""


class _Envelope(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    record: Record
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


# -- a line that may be known already -----------------------------------------------------

_AT_THE_END = b'"datasetVersion"'
_TAIL = re.compile(rb'"datasetVersion"\s*:\s*"([^"\\\x00-\x1f\x7f-\xff]*)"\s*\}\Z')
_LONGEST_TAIL = 200


class Fingerprint(NamedTuple):
    """What tells, without decoding, whether a line holds what another one held."""

    digest: bytes
    """Of all bytes but a `datasetVersion` at the end, which each publication changes."""
    dataset_version: str | None
    """That version, if it is there."""


def fingerprint(line: bytes) -> Fingerprint:
    """The fingerprint of a line; it says nothing about whether the line is well-formed."""
    at = line.rfind(_AT_THE_END, -_LONGEST_TAIL)
    version = _version_in(line[at:]) if at >= 0 else None
    if version is None:
        return Fingerprint(sha256(line).digest()[:16], None)
    return Fingerprint(sha256(line[:at]).digest()[:16], version)


@lru_cache(maxsize=100)
def _version_in(tail: bytes) -> str | None:
    """The version, if the line ends with it."""
    found = _TAIL.match(tail)
    return found[1].decode("ascii") if found else None


# -- decoding -----------------------------------------------------------------------------


def decode_line(line: bytes) -> Entry:
    """Decode the envelope `{"record": …, "datasetVersion": …}` or a bare record.

    Raises Faulty with every fault of the record at once.
    """
    record, version, extra = decode(line)
    return Entry(record=record, dataset_version=version, extra=extra)


def decode(line: bytes) -> Decoded:
    """Decode an envelope, a bare record, or either inside a line of a rejects file.

    Raises Faulty with every fault of the record at once.
    """
    try:
        if line.startswith(b'{"record"'):
            envelope = _envelope.decode(line)
            record, version = envelope.record, envelope.dataset_version
        else:
            record, version = _record.decode(line), None
        if _NUL in line:
            return _decode_slowly(line)
    except _FAULTS:
        return _decode_slowly(line)
    if is_plainly_right(record):
        return Decoded(record, version, _NOTHING)
    return _decode_slowly(line)


class _Outside(NamedTuple):
    """A line without its envelope."""

    record: bytes
    dataset_version: str | None
    root: str
    """The path of the record in the line."""
    extra: dict[str, object]


def _decode_slowly(line: bytes) -> Decoded:
    """As `decode`, for lines with unknown fields or faults."""
    outside = _unwrap(line)
    try:
        fields = _fields.decode(outside.record)
    except msgspec.ValidationError:
        got = shown(outside.record)
        raise Faulty([f"expected object, got {got} at {outside.root}"]) from None
    except _FAULTS as problem:
        raise Faulty([malformed(outside.record, problem)]) from None
    known = {name: raw for name, raw in fields.items() if name in _KNOWN}
    unknown = {name: raw for name, raw in fields.items() if name not in _KNOWN}
    record, faults = _decode_known(known, outside)
    try:
        extra = unknown_fields(unknown, outside.root) if unknown else {}
    except Faulty as faulty:
        faults += faulty.faults
    if record is not None:
        found = contradictions(record)
        faults += [f"{what} at {outside.root}{path[1:]}" for path, what in found]
    if record is None or faults:
        raise Faulty(faults)
    return Decoded(record, outside.dataset_version, {**outside.extra, **extra})


def _decode_known(
    known: dict[str, msgspec.Raw], outside: _Outside
) -> tuple[Record | None, list[str]]:
    """The record that these fields make up, or the faults of each of them."""
    try:
        record = _record.decode(msgspec.json.encode(known))
    except _FAULTS:
        return None, faults_of(known, outside.root)
    if is_plainly_right(record) and _NUL not in outside.record:
        return record, []
    return record, faults_of(known, outside.root)


def _unwrap(line: bytes, *, mended: bool = False) -> _Outside:
    """A bare record, an envelope, or a line of a rejects file (unless `mended`)."""
    try:
        line.decode()  # bytes that are not UTF-8 would else be a fault of many fields
        fields = _fields.decode(line)
    except msgspec.ValidationError:
        raise Faulty([f"expected object, got {shown(line)} at $"]) from None
    except _FAULTS as problem:
        raise Faulty([malformed(line, problem)]) from None
    if "record" in fields:
        try:
            version = _version.decode(fields.get("datasetVersion", b"null"))
        except msgspec.ValidationError:
            got = shown(bytes(fields["datasetVersion"]))
            raise Faulty([f"expected str, got {got} at $.datasetVersion"]) from None
        unknown = {key: raw for key, raw in fields.items() if key not in _ENVELOPE}
        extra = {f"envelope:{key}": value for key, value in unknown_fields(unknown, "$").items()}
        return _Outside(bytes(fields["record"]), version, "$.record", extra)
    inner = None if mended else _mended(line)
    if inner is not None:
        return _unwrap(inner.strip(), mended=True)
    return _Outside(line, None, "$", _NOTHING)


def _mended(line: bytes) -> bytes | None:
    """What a line of a rejects file holds; None if it is no such line."""
    try:
        reject = _reject.decode(line)
        if reject.text is not None:
            return reject.text.encode()
        return base64.b64decode(reject.base64 or "")
    except (*_FAULTS, ValueError):
        return None
