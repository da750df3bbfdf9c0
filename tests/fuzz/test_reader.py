"""Fuzzing the reader: any file gives lines or one sentence, and no record of it is lost."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errdex.errors import ErrdexError
from errdex.load import ingest
from errdex.sources import Line, read_lines
from errdex.sources.items import BrokenOffError, split_items
from errdex.sources.lines import split_lines
from errdex.sources.unpack import zstd
from tests.fuzz.inputs import RECORD_LINES, a_share, damaged, json_values

PACKERS: list[Callable[[bytes], bytes]] = [
    bytes,
    lambda data: gzip.compress(data, mtime=0),
    zstd.compress,
    bz2.compress,
    lzma.compress,
]
FEW = b"\n".join(RECORD_LINES[:6]) + b"\n"
ARRAY = b"[" + b",\n".join(RECORD_LINES[:6]) + b"]"


class Chunks:
    """A stream that gives few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self.stream = io.BytesIO(data)
        self.size = size

    def read(self, size: int, /) -> bytes:
        return self.stream.read(min(size, self.size))


@given(st.binary(), st.integers(1, 9))
def test_lines_are_those_of_the_whole_whatever_the_chunks(data: bytes, size: int) -> None:
    expected = [
        Line("x", number, line.strip(b" \t\r\v\f"))
        for number, line in enumerate(data.split(b"\n"), 1)
        if line.strip(b" \t\r\v\f")
    ]
    assert list(split_lines(Chunks(data, size), "x")) == expected


@given(st.lists(json_values), st.sampled_from([None, 0, 2]), st.booleans(), st.integers(1, 9))
def test_items_are_those_of_the_array_whatever_the_chunks(
    values: list[object], indent: int | None, ascii_only: bool, size: int
) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "replace")
    items = split_items(Chunks(data, size), "x", array=True)
    assert [json.loads(item.data) for item in items] == json.loads(data)


@given(st.binary(), st.integers(1, 9), st.booleans())
def test_items_of_any_bytes_end_or_break_off(data: bytes, size: int, array: bool) -> None:
    try:
        list(split_items(Chunks(data, size), "x", array=array))
    except BrokenOffError as problem:
        assert str(problem) == "it ends inside an item"  # noqa: PT017  # hypothesis draws both


@given(
    st.sampled_from([b"", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh9", b"\xfd7zXZ\x00", b"[", b"{"]),
    st.binary(),
)
def test_any_file_gives_lines_or_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, start: bytes, data: bytes
) -> None:
    source = tmp_path_factory.getbasetemp() / "any.jsonl"
    source.write_bytes(start + data)
    try:
        list(read_lines(str(source)))
    except ErrdexError as error:
        assert str(error).startswith(str(source))  # noqa: PT017  # hypothesis draws both


damaged_files = st.one_of(
    st.builds(
        lambda data, pack: pack(data),
        st.one_of(damaged(FEW), damaged(ARRAY)),
        st.sampled_from(PACKERS),
    ),
    st.sampled_from([pack(FEW) for pack in PACKERS[1:]]).flatmap(damaged),
)


@settings(a_share(0.5), suppress_health_check=[HealthCheck.too_slow])
@given(damaged_files)
def test_a_damaged_file_is_refused_whole_or_each_of_its_records_is_accounted_for(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    source, database = folder / "damaged.jsonl", folder / "errdex.db"
    source.write_bytes(data)
    try:
        summary = ingest([str(source)], database)
    except ErrdexError as error:
        assert not database.exists(), error  # noqa: PT017  # hypothesis draws both
        return
    assert summary.read == summary.loaded + summary.unchanged + summary.rejected
    rejects = Path(f"{database}.rejects.jsonl")
    told = rejects.read_bytes().splitlines() if rejects.exists() else []
    assert len(told) == summary.rejected
    assert all(json.loads(line)["reasons"] for line in told)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*) FROM errors").fetchone() == (summary.added,)
