"""One line of JSON → a record, or every fault that it has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from errdex.decode import Faulty, decode_line, fingerprint
from errdex.records import MAX_SNIPPET_LINES, is_plainly_right

CASES = Path(__file__).parent / "cases"
SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
ENVELOPE = json.loads(SEED.read_bytes())
FAULTS = [json.loads(line) for line in (CASES / "ingest/faults.jsonl").read_text().splitlines()]


def line_of(case: dict[str, object]) -> bytes:
    """The seed with the changes of a case."""
    record = case.get("record", {**ENVELOPE["record"], **case.get("change", {})})
    for name in case.get("remove", []):
        del record[name]
    return json.dumps({**ENVELOPE, "record": record}).encode()


def changed(**fields: object) -> bytes:
    return line_of({"change": fields})


def faults_of(line: bytes) -> list[str]:
    with pytest.raises(Faulty) as caught:
        decode_line(line)
    return caught.value.faults


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case["name"])
def test_every_fault_is_told_with_its_path(case: dict[str, object]) -> None:
    assert faults_of(line_of(case)) == case["faults"]


def test_a_snippet_of_more_than_forty_lines_is_refused() -> None:
    assert decode_line(changed(sourceCode="x\n" * MAX_SNIPPET_LINES))
    assert faults_of(changed(sourceCode="x\n" * (MAX_SNIPPET_LINES + 1))) == [
        "expected at most 40 lines, got 41 at $.record.sourceCode"
    ]


def test_a_slug_of_300_characters_is_refused() -> None:
    (fault,) = faults_of(changed(slug="a" * 300))
    assert fault == (
        "expected lowercase letters, digits and inner '-', at most 200, got "
        f'"{"a" * 58}… at $.record.slug'
    )


@pytest.mark.parametrize("name", ["con", "nul", "com1", "aux-x"])
def test_a_slug_that_windows_reserves_is_a_record_all_the_same(name: str) -> None:
    assert decode_line(changed(slug=name)).record.slug == name


def test_a_bare_record_has_its_faults_at_its_own_paths() -> None:
    line = json.dumps({**ENVELOPE["record"], "lineNumber": "ten"}).encode()
    assert faults_of(line) == ['expected int, got "ten" at $.lineNumber']


def test_unknown_fields_are_kept_as_they_came() -> None:
    envelope = {**ENVELOPE, "generator": "x 1", "record": {**ENVELOPE["record"], "foo": [1, {}]}}
    entry = decode_line(json.dumps(envelope).encode())
    assert entry.extra == {"envelope:generator": "x 1", "foo": [1, {}]}


def test_a_number_that_nothing_can_hold_is_refused_in_an_unknown_field() -> None:
    line = SEED.read_bytes().replace(b'{"id"', b'{"foo":1e999,"id"', 1)
    assert faults_of(line) == ["number out of range at $.record.foo"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "expected JSON, got , which breaks off"),
        (b"[1]", "expected object, got [1] at $"),
        (b'"x"', 'expected object, got "x" at $'),
        (b"null", "expected object, got null at $"),
        (b"<html>", "expected JSON, got <html> at byte 1"),
        (b"{'a': 1}", "expected JSON, got 'a': 1} at byte 2"),
        (b'{"record": {"id": "a', 'expected JSON, got {"record": {"id": "a, which breaks off'),
        (b'{"a": 1} {"b": 2}', 'expected JSON, got "b": 2} at byte 11'),
        (b'{"record": {"id": NaN}}', "expected JSON, got NaN}} at byte 19"),
        (b'{"record": {"id": -Infinity}}', "expected JSON, got Infinity}} at byte 20"),
        (b"\x00\x00", "expected JSON, got \\u0000\\u0000 at byte 1"),
        (b'{"a": "\x00"}', 'expected JSON, got \\u0000"} at byte 8'),
        (b'{"a": "\xff"}', "expected UTF-8, got byte 0xff at byte 8"),
        (b'{"a": "\xed\xa0\x80"}', "expected UTF-8, got byte 0xed at byte 8"),
        (b'{"a": "\\ud800 x"}', "expected Unicode text, got half a character (\\ud800) at byte 8"),
        (b'{"a": "\\udc00"}', "expected Unicode text, got half a character (\\udc00) at byte 8"),
        (b'{"a": ' * 100_000, "expected JSON, got lists or objects nested too deeply"),
        (
            b'{"record": {"id":' + b"[" * 100_000,
            "expected JSON, got lists or objects nested too deeply",
        ),
    ],
)
def test_what_is_not_json_is_told_with_its_byte(data: bytes, fault: str) -> None:
    assert faults_of(data) == [fault]


def test_a_fault_shows_no_sign_that_a_terminal_obeys() -> None:
    (fault,) = faults_of(changed(severity="\x9b31m\u202e"))
    assert fault.endswith(r'got "\u009b31m\u202e" at $.record.severity')


def test_html_in_every_text_field_is_a_record() -> None:
    html = '<script>alert(1)</script><img src=x onerror="alert(1)">'
    texts = ["errorCode", "errorClass", "errorMessage", "messagePattern", "documentation"]
    texts += ["triggerScenarios", "commonSituations", "exampleFix", "validationCode", "typeGuard"]
    entry = decode_line(changed(**dict.fromkeys([*texts, "tryCatchPattern", "sourceCode"], html)))
    assert entry.record.documentation == html


def test_a_backslash_before_u0000_is_no_nul() -> None:
    assert decode_line(changed(documentation="a\\u0000b")).record.documentation == "a\\u0000b"


def test_a_mended_line_of_a_rejects_file_is_a_record() -> None:
    reject = {"source": "x", "line": 3, "reasons": ["y"], "text": SEED.read_text()}
    assert decode_line(json.dumps(reject).encode()) == decode_line(SEED.read_bytes())


@pytest.mark.parametrize("name", ["records.jsonl"])
def test_the_records_of_the_cases_are_plainly_right(name: str) -> None:
    for line in (CASES / name).read_bytes().splitlines():
        assert is_plainly_right(decode_line(line).record)


def test_a_fingerprint_passes_over_the_dataset_version_alone() -> None:
    one = SEED.read_bytes().strip()
    other = one.replace(b"2026-08-28T06:17:29.519Z", b"2027-01-01T00:00:00.000Z")
    assert one != other
    assert fingerprint(one).digest == fingerprint(other).digest
    assert fingerprint(other).dataset_version == "2027-01-01T00:00:00.000Z"
    assert fingerprint(changed(lineNumber=10730)).digest != fingerprint(changed()).digest
