"""A record whose every field is an attack: its pages hold text, and nothing that acts."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from errdex.database.connection import open_for_reading
from errdex.load import Options, ingest
from errdex_site.pages import Site
from tests.parsed_html import ATTRIBUTES, ELEMENTS, INVISIBLE, Parsed

CASE = Path(__file__).parent / "cases" / "hostile.json"
PAGE = "/evil/evil/hostile/"


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    folder = tmp_path_factory.mktemp("hostile")
    text = CASE.read_text().replace('"LONG"', json.dumps("<b>" + "x" * 100_000))
    record = json.loads(text)
    record["sourceCode"] = record["sourceCode"].replace("LONG", "<" * 100_000)
    record["solutions"] += ["`" * 20_000, "> " * 20_000, "*a " * 20_000, "[" * 20_000]
    neighbour = record | {"id": "bad0bad0bad0bad1", "slug": "neighbour", "lineNumber": 12}
    lines = [json.dumps(record), json.dumps(neighbour)]
    (folder / "hostile.jsonl").write_text("\n".join(lines))
    summary = ingest([str(folder / "hostile.jsonl")], folder / "errdex.db", Options())
    assert summary.added == 2
    opened = open_for_reading(folder / "errdex.db")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def pages(connection: sqlite3.Connection) -> dict[str, str]:
    """Every HTML page of a site of such records, by path."""
    site = Site(connection, base_url="https://errdex.example")
    found = {path: site.page(path) for path in site.paths()}
    return {
        path: str(page.body)
        for path, page in found.items()
        if page.content_type.startswith("text/html") and not path.startswith("/docs/")
    }


def test_pages_hold_only_elements_and_attributes_of_ours(pages: dict[str, str]) -> None:
    for path, html in pages.items():
        for tag, attributes in Parsed(html).elements:
            assert tag in ELEMENTS, (path, tag)
            assert attributes.keys() <= ATTRIBUTES, (path, tag, attributes)


def test_links_lead_to_the_web_or_to_the_site(pages: dict[str, str]) -> None:
    for path, html in pages.items():
        for tag, attributes in Parsed(html).elements:
            for name in ("href", "src"):
                link = attributes.get(name)
                if link is not None:
                    assert re.match(r"https?://|\.|/|#main|record\.json", link), (path, tag, link)
                    assert tag in ("a", "link") or not link.startswith("http")


def test_scripts_are_ours_or_data(pages: dict[str, str]) -> None:
    for path, html in pages.items():
        parsed = Parsed(html)
        scripts = [attributes for tag, attributes in parsed.elements if tag == "script"]
        inline = [attributes for attributes in scripts if "src" not in attributes]
        assert all(attributes["type"] == "application/ld+json" for attributes in inline), path
        for attributes in scripts:
            assert "/static/" in (attributes.get("src") or "/static/")
        texts = [text for text in parsed.scripts if text.strip().startswith("{")]
        assert len(texts) == len(inline)
        for text in texts:
            assert json.loads(text)["@context"] == "https://schema.org"


def test_no_character_is_invisible(pages: dict[str, str]) -> None:
    for path, html in pages.items():
        assert INVISIBLE.search(html) is None, path


def test_long_fields_do_not_make_long_pages(pages: dict[str, str]) -> None:
    assert len(pages[PAGE].encode()) < 150_000


def test_what_was_attacked_with_is_shown_as_text(pages: dict[str, str]) -> None:
    html = pages[PAGE]
    assert "&lt;/script&gt;&lt;script&gt;hacked=1&lt;/script&gt; {{ 7*7 }} {% raw %}" in html
    assert "⟨U+202E⟩desrever⟨U+202C⟩" in html
    assert "␛[31m" in html


def test_the_feed_and_the_site_maps_are_well_formed(connection: sqlite3.Connection) -> None:
    site = Site(connection, base_url="https://errdex.example")
    for path in site.paths():
        if path.endswith(".xml"):
            ElementTree.fromstring(str(site.page(path).body))  # noqa: S314 # ours
