"""One line of JSON → one entry, or every fault that it has, each with its path."""

from __future__ import annotations

import msgspec

from errdex.records import Entry, Record, contradictions


class Faulty(Exception):
    """A line that is not a well-formed record; `faults` are sentences without a place."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class _Envelope(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    record: Record
    dataset_version: str | None = None


_envelope = msgspec.json.Decoder(_Envelope)
_bare = msgspec.json.Decoder(Record)


def decode_line(line: bytes) -> Entry:
    """Decode the envelope `{"record": …, "datasetVersion": …}` or a bare record.

    Raises Faulty with every fault of the record at once.
    """
    try:
        envelope = _envelope.decode(line)
        entry = Entry(record=envelope.record, dataset_version=envelope.dataset_version)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as problem:
        raise Faulty([str(problem)]) from None
    faults = contradictions(entry.record)
    if faults:
        raise Faulty([f"{what} at {path}" for path, what in faults])
    return entry
