"""Files, folders and standard input → lines and items, whatever they are packed in."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from errdex.errors import (
    FolderWithoutRecords,
    SourceDamaged,
    SourceForeign,
    SourceMissing,
    SourceUnreadable,
)
from errdex.sources import Line, feeds_of, read_lines
from errdex.sources.items import split_items
from errdex.sources.line import KEPT_OF_LONGER, LONGEST
from errdex.sources.lines import split_lines
from errdex.sources.unpack import zstd

TWO = b'{"a": 1}\n{"b": 2}\n'
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "zstd": zstd.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}


def written(folder: Path, data: bytes, name: str = "x.jsonl") -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


def data_of(source: str) -> list[bytes]:
    return [line.data for line in read_lines(source)]


@pytest.mark.parametrize("packer", PACKERS)
def test_a_file_is_unpacked_by_its_content_whatever_its_name(packer: str, tmp_path: Path) -> None:
    assert data_of(written(tmp_path, PACKERS[packer](TWO))) == TWO.split(b"\n")[:2]


@pytest.mark.parametrize("packer", [name for name in PACKERS if name != "plain"])
@pytest.mark.parametrize("cut", [0.3, 0.9])
def test_a_packed_file_that_breaks_off_is_refused(packer: str, cut: float, tmp_path: Path) -> None:
    data = PACKERS[packer](b"".join(b'{"a": %d}\n' % n for n in range(20_000)))
    source = written(tmp_path, data[: int(len(data) * cut)])
    with pytest.raises(SourceDamaged) as caught:
        data_of(source)
    assert str(caught.value).startswith(f"{source} breaks off or is damaged after line ")


@pytest.mark.parametrize("packer", ["gzip", "xz", "bzip2"])
def test_a_packed_file_with_a_wrong_byte_is_refused(packer: str, tmp_path: Path) -> None:
    data = bytearray(PACKERS[packer](os.urandom(50_000).hex().encode()))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises(SourceDamaged):
        data_of(written(tmp_path, bytes(data)))


def test_packed_files_one_after_another_are_one(tmp_path: Path) -> None:
    data = gzip.compress(b'{"a": 1}\n') + gzip.compress(b'{"b": 2}\n')
    assert data_of(written(tmp_path, data)) == TWO.split(b"\n")[:2]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"PK\x03\x04...", "a zip archive"),
        (b"SQLite format 3\x00...", "an SQLite database"),
        ('{"a": 1}'.encode("utf-16"), "text in UTF-16"),
        (b"\x89PNG\r\n", "a picture"),
        (gzip.compress(b"%PDF-1.4", mtime=0), "a PDF file"),
    ],
)
def test_what_is_surely_no_json_is_refused(data: bytes, what: str, tmp_path: Path) -> None:
    source = written(tmp_path, data)
    with pytest.raises(SourceForeign) as caught:
        data_of(source)
    assert str(caught.value) == (
        f"{source} is {what}, not records; give JSON Lines or JSON in UTF-8, plain or packed "
        "with gzip, zstd, bzip2 or xz."
    )


def test_a_byte_order_mark_and_crlf_are_passed_over(tmp_path: Path) -> None:
    source = written(tmp_path, b"\xef\xbb\xbf" + TWO.replace(b"\n", b"\r\n"))
    assert data_of(source) == TWO.split(b"\n")[:2]


def test_blank_lines_count_in_the_numbers(tmp_path: Path) -> None:
    source = written(tmp_path, b'\n{"a": 1}\n\n \t\n{"b": 2}')
    assert [line.place for line in read_lines(source)] == [f"{source}:2", f"{source}:5"]


def test_an_array_gives_its_items(tmp_path: Path) -> None:
    source = written(tmp_path, b' [\n {"a": [1, "],"]},\n {"b": 2}\n]\n', "x.json")
    assert list(read_lines(source)) == [
        Line(source, 1, b'{"a": [1, "],"]}', item=True),
        Line(source, 2, b'{"b": 2}', item=True),
    ]
    assert [line.place for line in read_lines(source)] == [f"{source}#1", f"{source}#2"]


def test_one_record_over_several_lines_is_one_item(tmp_path: Path) -> None:
    value = {"a": {"b": "}"}, "c": [1, 2]}
    source = written(tmp_path, json.dumps(value, indent=2).encode(), "x.json")
    assert [json.loads(line.data) for line in read_lines(source)] == [value]


def test_a_first_line_that_breaks_off_does_not_hide_the_others(tmp_path: Path) -> None:
    assert data_of(written(tmp_path, b'{"a": \n{"b": 2}\n')) == [b'{"a":', b'{"b": 2}']


@pytest.mark.parametrize("data", [b'[{"a": 1}, {"b"', b'[{"a": 1}', b'[{"a": "x', b"["])
def test_an_array_that_breaks_off_is_refused(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(SourceDamaged) as caught:
        data_of(written(tmp_path, data))
    assert "(it ends inside an item)" in str(caught.value)


def test_an_empty_array_holds_nothing(tmp_path: Path) -> None:
    assert data_of(written(tmp_path, b"[]")) == []


def test_what_follows_an_array_is_not_lost(tmp_path: Path) -> None:
    assert data_of(written(tmp_path, b'[{"a": 1}] {"b": 2} x')) == [b'{"a": 1}', b'{"b": 2}', b"x"]


class Endless:
    """A stream of `size` bytes that are never in memory at once, then the rest."""

    def __init__(self, size: int, rest: bytes) -> None:
        self.left = size
        self.rest = io.BytesIO(rest)

    def read(self, size: int, /) -> bytes:
        if self.left:
            size = min(size, self.left)
            self.left -= size
            return b"x" * size
        return self.rest.read(size)


def test_a_line_of_200_megabytes_is_refused_and_nothing_else_is_lost() -> None:
    size = 200 << 20
    long, *others = split_lines(Endless(size, b"\n" + TWO), "x")
    assert long.number == 1
    assert long.data == b"x" * KEPT_OF_LONGER
    assert long.fault == (
        f"expected at most {LONGEST} bytes, got {size} from byte 0 of the unpacked source on"
    )
    assert others == [Line("x", 2, b'{"a": 1}'), Line("x", 3, b'{"b": 2}')]


def test_an_item_of_200_megabytes_is_refused_and_nothing_else_is_lost() -> None:
    first = io.BytesIO(b'[{"a": 1}, "')
    size = 200 << 20
    stream = Endless(size, b'", {"b": 2}]')

    class Joined:
        def read(self, size: int, /) -> bytes:
            return first.read(size) or stream.read(size)

    before, long, after = split_items(Joined(), "x", array=True)
    assert (before.data, after.data) == (b'{"a": 1}', b'{"b": 2}')
    assert long.number == 2
    assert len(long.data) <= KEPT_OF_LONGER
    assert long.fault is not None
    assert str(size)[:3] in long.fault


def test_a_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    source = str(tmp_path / "none.jsonl")
    with pytest.raises(SourceMissing) as caught:
        data_of(source)
    assert str(caught.value) == f"{source} does not exist; name a file of records that does."


def test_a_file_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(SourceUnreadable) as caught:  # reading it fails for root too
        data_of("/proc/self/mem")
    assert str(caught.value).startswith("/proc/self/mem cannot be read (")


def test_standard_input_is_read_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TWO))))
    assert [line.place for line in read_lines("-")] == ["standard input:1", "standard input:2"]


# -- folders and globs --------------------------------------------------------------------


def names_of(*sources: str) -> list[str]:
    return [Path(feed.name).name for feed in feeds_of(sources)]


def test_a_folder_stands_for_its_files_of_records(tmp_path: Path) -> None:
    for name in ["b.jsonl", "a.json.gz", "c.JSONL.ZST", "readme.md", ".hidden.jsonl"]:
        written(tmp_path, TWO, name)
    (tmp_path / "deep").mkdir()
    written(tmp_path / "deep", TWO, "d.ndjson")
    written(tmp_path, TWO, "errdex.db.rejects.jsonl")
    assert names_of(str(tmp_path)) == ["a.json.gz", "b.jsonl", "c.JSONL.ZST", "d.ndjson"]


def test_a_folder_without_records_is_refused(tmp_path: Path) -> None:
    written(tmp_path, b"x", "readme.md")
    with pytest.raises(FolderWithoutRecords) as caught:
        names_of(str(tmp_path))
    assert str(caught.value) == (
        f"{tmp_path} holds no files of records; put .jsonl or .json files in it "
        "(or .gz, .zst, .bz2, .xz of them)."
    )


def test_a_glob_stands_for_what_it_matches_in_order(tmp_path: Path) -> None:
    for name in ["b.jsonl", "a.jsonl", "c.txt"]:
        written(tmp_path, TWO, name)
    assert names_of(str(tmp_path / "*.jsonl")) == ["a.jsonl", "b.jsonl"]


def test_a_glob_that_matches_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceMissing):
        names_of(str(tmp_path / "*.jsonl"))


def test_a_file_whose_name_looks_like_a_glob_is_a_file(tmp_path: Path) -> None:
    assert data_of(written(tmp_path, TWO, "a[1].jsonl")) == TWO.split(b"\n")[:2]
    assert names_of(str(tmp_path / "a[1].jsonl")) == ["a[1].jsonl"]
