"""One entry → its envelope as JSON; the way back from `errdex.decode`."""

from __future__ import annotations

import msgspec

from errdex.records import Entry

_encoder = msgspec.json.Encoder()


def record_fields(entry: Entry) -> dict[str, object]:
    """The record as plain values in the record's order, unknown fields last."""
    fields: dict[str, object] = msgspec.to_builtins(entry.record)
    return fields | {name: value for name, value in entry.extra.items() if name not in fields}


def encode_record(entry: Entry) -> bytes:
    """`record_fields` as JSON on one line, without a line break."""
    return _encoder.encode(record_fields(entry) if entry.extra else entry.record)


def encode_envelope(entry: Entry) -> bytes:
    """`{"record": …, "datasetVersion": …}` on one line, without a line break."""
    version = _encoder.encode(entry.dataset_version)
    return b'{"record":' + encode_record(entry) + b',"datasetVersion":' + version + b"}"
