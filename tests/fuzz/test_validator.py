"""Fuzzing the validator: any line is a record that comes out as it went in, or has faults."""

from __future__ import annotations

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from errdex.check import Checker
from errdex.decode import Faulty, decode_line, fingerprint
from errdex.encode import encode_envelope
from errdex.records import RULES, Record, is_plainly_right
from errdex.sources import Line
from tests.fuzz.inputs import (
    RECORD_LINES,
    SEED,
    a_share,
    damaged,
    hostile_fields,
    json_values,
    record_line,
)


def changed(**fields: object) -> bytes:
    return json.dumps({"record": {**SEED, **fields}}).encode()


def decoded_or_faults(line: bytes) -> list[str]:
    """The faults of a line; a line without any must survive being written and read."""
    try:
        entry = decode_line(line)
    except Faulty as faulty:
        assert faulty.faults, "a line is refused without a reason"  # noqa: PT017  # and in each of them
        assert all(fault.isprintable() for fault in faulty.faults)  # noqa: PT017
        return faulty.faults
    assert decode_line(encode_envelope(entry)) == entry
    return []


@given(st.binary())
def test_any_bytes_have_faults(data: bytes) -> None:
    assert decoded_or_faults(data)


@a_share(3)
@given(st.sampled_from(RECORD_LINES[:20]).flatmap(damaged))
def test_a_damaged_line_is_a_record_or_has_faults(line: bytes) -> None:
    decoded_or_faults(line)


@a_share(2)
@given(st.sampled_from(sorted(SEED)), json_values)
def test_any_value_in_any_field_is_a_record_or_its_fault_names_the_field(
    name: str, value: object
) -> None:
    faults = decoded_or_faults(changed(**{name: value}))
    assert all(f"$.record.{name}" in fault for fault in faults)


@a_share(2)
@given(hostile_fields)
def test_hostile_records_are_checked_without_failing(fields: dict[str, object]) -> None:
    line = record_line(fields)
    findings = list(Checker().lines([Line("x", 1, line)]))
    faults = [finding.message for finding in findings if finding.kind == "fault"]
    assert faults == decoded_or_faults(line)


texts = st.text(alphabet=st.sampled_from("ab0-_./:%é \n\x00AZ"), max_size=12) | st.text(max_size=5)


@given(
    st.sampled_from(sorted(RULES)),
    texts | st.builds("https://github.com/{}".format, texts) | st.builds("a/{}".format, texts),
)
def test_what_is_plainly_right_obeys_the_rules(name: str, value: str) -> None:
    field = next(f for f in msgspec.structs.fields(Record) if f.encode_name == name)
    given_value = [value, "ok"] if name == "tags" else value
    record = msgspec.structs.replace(decode_line(changed()).record, **{field.name: given_value})
    if is_plainly_right(record):
        msgspec.convert(given_value, RULES[name])


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_lines_of_one_fingerprint_differ_in_nothing_but_the_version(one: bytes, two: bytes) -> None:
    lines = [
        data + b', "datasetVersion": "' + version + b'"}'
        for data, version in [(one, two), (one, b"x")]
    ]
    for line in lines:
        mark = fingerprint(line)
        if mark.dataset_version is not None:
            assert line.rstrip(b"} \t\n\r").endswith(mark.dataset_version.encode() + b'"')
