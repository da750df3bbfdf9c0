"""Fuzzing the renderer: whatever a record holds, its HTML is whole, and nothing in it acts."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errdex import markdown, text
from errdex.database.connection import open_for_reading
from errdex.decode import Faulty, decode_line
from errdex.example import changes, diff
from errdex.load import load
from errdex.match.engine import Matcher
from errdex.sources import Line
from errdex_site import addresses
from errdex_site.code import highlight
from errdex_site.languages import LANGUAGES
from errdex_site.markdown import plain, render, render_item
from errdex_site.pages import Page, Site
from tests.fuzz.inputs import (
    SEED,
    a_share,
    hostile_fields,
    markup,
    pastes,
    record_line,
    text_with_halves,
)
from tests.parsed_html import INVISIBLE, Parsed


def assert_harmless(shown: str) -> Parsed:
    """The HTML is whole, made of what our pages are made of, and hides no character."""
    parsed = Parsed(shown)
    assert parsed.faults == []
    assert parsed.strangers() == []
    assert INVISIBLE.search(shown) is None
    return parsed


def assert_page_is_harmless(page: Page) -> None:
    assert page.status == 200
    parsed = assert_harmless(str(page.body))
    inline = [tag for tag in parsed.elements if tag[0] == "script" and "src" not in tag[1]]
    assert all(attributes["type"] == "application/ld+json" for _, attributes in inline)
    data = [one for one in parsed.scripts if one.strip()]
    assert [json.loads(one)["@context"] for one in data] == ["https://schema.org"] * len(inline)


@a_share(4)
@given(markup, st.frozensets(st.sampled_from(["name", "<b>", "x y"])))
def test_markdown_becomes_html_that_is_whole_and_harmless(
    written: str, placeholders: frozenset[str]
) -> None:
    parsed = assert_harmless(str(render(written, placeholders)))
    assert [tag for tag, _ in parsed.elements if tag in ("script", "form", "link")] == []
    assert all(
        (attributes["href"] or "").startswith(("http://", "https://"))
        for tag, attributes in parsed.elements
        if tag == "a"
    )
    assert_harmless(f"<li>{render_item(written, placeholders)}</li>")
    assert "\n" not in plain(written, 80)


@a_share(4)
@given(st.one_of(markup, text_with_halves), st.sampled_from(["", *LANGUAGES]))
def test_code_becomes_lines_of_html_that_are_whole_and_harmless(code: str, language: str) -> None:
    for line in highlight(code, language):
        parsed = assert_harmless(line)
        assert {tag for tag, _ in parsed.elements} <= {"i"}


@a_share(4)
@given(markup)
def test_every_line_of_an_example_is_on_one_side_of_its_changes(example: str) -> None:
    for change in changes(example):
        lines = list(diff(change))
        assert [line.at for line in lines if line.sign != "-"] == list(range(len(change.after)))
        assert sum(line.sign != "+" for line in lines) == len(change.before)


@settings(a_share(0.3), suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(hostile_fields, min_size=1, max_size=3))
def test_whole_pages_of_hostile_records_are_harmless(
    tmp_path_factory: pytest.TempPathFactory, made: list[dict[str, object]]
) -> None:
    path = tmp_path_factory.mktemp("pages") / "errdex.db"
    lines = [Line("made", at, record_line(fields, at)) for at, fields in enumerate([{}, *made])]
    summary = load(lines, path)
    assert summary.read == summary.loaded + summary.rejected
    with closing(open_for_reading(path)) as connection:
        site = Site(connection, base_url="https://errdex.example")
        rows = connection.execute("SELECT repo, slug, error_code FROM errors").fetchall()
        for repo, slug, code in rows:
            assert_page_is_harmless(site.page(addresses.error_path(repo, slug)))
            listed = addresses.code_path(code) if code else None  # not every code has a list
            if listed:
                assert_page_is_harmless(site.page(listed))
        assert_page_is_harmless(site.page(addresses.repo_path(str(SEED["repo"]))))


@given(hostile_fields)
def test_a_terminal_and_markdown_show_any_record_without_obeying_it(
    fields: dict[str, object],
) -> None:
    try:
        entry = decode_line(record_line(fields))
    except Faulty:
        return  # a record that breaks a rule is never shown
    shown = text.render(entry, text.Style(color=False, links=False, width=60))
    assert not set(shown) & set("\x1b\x07\x9b\u202e\r\x08")
    assert entry.record.id in markdown.render(entry)


@pytest.fixture(scope="module")
def case_connection(case_database: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_for_reading(case_database)) as connection:
        yield connection


@a_share(0.5)
@given(st.one_of(pastes, markup))
def test_the_page_that_shows_what_was_found_in_a_paste_is_harmless(
    case_connection: sqlite3.Connection, paste: str
) -> None:
    page = Site(case_connection).match_page(paste, Matcher(case_connection).match(paste))
    parsed = Parsed(str(page.body))
    assert (parsed.faults, parsed.strangers()) == ([], [])
    assert all("src" in attributes for tag, attributes in parsed.elements if tag == "script")
