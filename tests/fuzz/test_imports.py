"""Fuzzing imports: no line is lost, and the two ways into a database give the same.

A large first import goes another way than a small one or a later one.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errdex.database.queries import entries
from errdex.load import Options, load
from errdex.sources import Line
from tests.fuzz.inputs import a_share
from tests.test_load import ID, OTHER, V1, V2, counts, healthy, line, take


def content(path: Path) -> list[object]:
    with sqlite3.connect(path) as connection:
        found: list[object] = [msgspec.to_builtins(entry) for entry in entries(connection)]
        for rows in (
            "SELECT repo FROM repos ORDER BY repo",
            "SELECT aliases.repo, aliases.slug, id FROM aliases JOIN errors ON number = error"
            " ORDER BY 1, 2",
            "SELECT source, line, reasons, data FROM rejects ORDER BY data",
        ):
            found += connection.execute(rows).fetchall()
        found += connection.execute(
            "SELECT id, patterns.source, kind, bits, seen_version, line FROM errors"
            " JOIN patterns ON patterns.pattern = errors.pattern"
            " JOIN error_sources ON error = number ORDER BY id"
        ).fetchall()
        return found


hostile_lines = st.lists(
    st.builds(
        line,
        number=st.integers(1, 99),
        version=st.sampled_from([None, V1, V2]),
        id=st.sampled_from([ID, OTHER, "c" * 16]),
        slug=st.sampled_from(["a", "b", f"a-{OTHER[:8]}"]),
        repo=st.sampled_from(["x/y", "X/y", "x/z"]),
        documentation=st.sampled_from(["one", "two"]),
        tags=st.sampled_from([[], ["t"], ["t", "u", "t"]]),
    )
    | st.builds(Line, st.just("x.jsonl"), st.integers(1, 99), st.binary(min_size=1)),
    max_size=12,
)


@settings(a_share(0.4), suppress_health_check=[HealthCheck.too_slow])
@given(hostile_lines)
def test_read_is_loaded_and_unchanged_and_rejected(
    tmp_path_factory: pytest.TempPathFactory, lines: list[Line]
) -> None:
    path = tmp_path_factory.mktemp("load") / "errdex.db"
    take(path, line(1, V1))
    summary = take(path, *lines)
    assert summary.read == len(lines)
    assert summary.read == summary.loaded + summary.unchanged + summary.rejected
    healthy(path)
    again = take(path, *lines)
    assert again.added == 0
    assert again.read == again.loaded + again.unchanged + again.rejected


@settings(a_share(0.08), suppress_health_check=[HealthCheck.too_slow])
@given(hostile_lines)
def test_a_large_first_import_gives_the_same_as_a_small_one(
    tmp_path_factory: pytest.TempPathFactory, lines: list[Line]
) -> None:
    folder = tmp_path_factory.mktemp("bulk")
    whole = [line(1, V1), *lines]
    summaries = []
    for name, bulk in (("small", 5000), ("large", 1)):
        summaries.append(load(whole, folder / name, Options(bulk=bulk)))
        healthy(folder / name)
    assert content(folder / "small") == content(folder / "large")
    assert counts(summaries[0]) == counts(summaries[1])
