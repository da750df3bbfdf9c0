"""Files of records that are made from those of the last build."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex_site import earlier
from errdex_site.earlier import Earlier, listed, together

PATH = "/data/repos/acme/books.json"


def item(number: int, text: str) -> bytes:
    return f'{{"id":"{number:016x}","said":"{text}"}}'.encode()


def whole(items: dict[int, str]) -> bytes:
    made = together(item(number, text) for number, text in sorted(items.items()))
    return b"".join(listed(b"[", made, b"]"))


states = st.dictionaries(st.integers(0, 60), st.sampled_from(["old", "new, old", "newer " * 9]))


@given(before=states, after=states)
def test_a_file_made_from_the_last_one_is_as_one_made_anew(
    before: dict[int, str], after: dict[int, str]
) -> None:
    changed = frozenset(f"{n:016x}" for n, text in after.items() if before.get(n) != text)
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(earlier, "_CHUNK", 100)
        patch.setattr(earlier, "_ITEMS_AT_ONCE", 7)
        file = Path(name) / PATH[1:]
        file.parent.mkdir(parents=True)
        file.write_bytes(whole(before))
        ids = [f"{n:016x}" for n in sorted(after)]
        made: list[str] = []

        def make(one: str) -> bytes:
            made.append(one)
            return item(int(one, 16), after[int(one, 16)])

        found = Earlier(Path(name), changed).items(PATH, ids, '{"id":"', make)
        assert b"".join(listed(b"[", found, b"]")) == whole(after)
        assert set(made) == changed


def test_what_a_damaged_file_lacks_is_made_anew(tmp_path: Path) -> None:
    file = tmp_path / PATH[1:]
    file.parent.mkdir(parents=True)
    file.write_bytes(whole({1: "a", 3: "c"}))
    ids = [f"{n:016x}" for n in (1, 2, 3)]
    found = Earlier(tmp_path, frozenset()).items(
        PATH, ids, '{"id":"', lambda one: item(int(one, 16), "abc"[int(one, 16) - 1])
    )
    assert b"".join(listed(b"[", found, b"]")) == whole({1: "a", 2: "b", 3: "c"})


def test_a_file_that_is_gone_is_made_anew(tmp_path: Path) -> None:
    found = Earlier(tmp_path, frozenset()).items(
        PATH, [f"{1:016x}"], '{"id":"', lambda one: item(int(one, 16), "a")
    )
    assert b"".join(listed(b"[", found, b"]")) == whole({1: "a"})
