"""The documentation as pages of the site."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from errdex.cli import main
from errdex.database.connection import open_for_reading
from errdex_site import addresses, manual
from errdex_site.pages import Page, Site

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.stem for path in (ROOT / "docs").glob("*.md") if path.stem != "index")


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("manual") / "errdex.db"
    seed = str(ROOT / "data" / "seed.jsonl")
    assert CliRunner().invoke(main, ["ingest", seed, "--db", str(path)]).exit_code == 0
    found = open_for_reading(path)
    yield found
    found.close()


def page(connection: sqlite3.Connection, path: str) -> Page:
    return Site(connection).page(path)


@pytest.mark.parametrize("name", ["", *PAGES, "changelog", "contributing", "security"])
def test_every_page_of_the_docs_is_a_page_of_the_site(
    connection: sqlite3.Connection, name: str
) -> None:
    found = page(connection, addresses.docs_path(name))
    assert found.status == 200
    assert "<h1" in str(found.body)
    assert 'href="../"' in str(found.body) or not name
    assert addresses.docs_path(name) in set(Site(connection).paths())


def test_every_page_leads_to_the_documentation(connection: sqlite3.Connection) -> None:
    assert '<a href="./docs/">Documentation</a>' in str(page(connection, "/").body)


@pytest.mark.parametrize("path", ["/docs/none/", "/docs/../README/", "/docs/readme/", "/docs/a/b/"])
def test_other_names_are_not_found(connection: sqlite3.Connection, path: str) -> None:
    assert page(connection, path).status == 404


def render(text: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    (folder / "some.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(manual, "_FOLDER", folder)
    manual.names.cache_clear()
    manual.chapter.cache_clear()
    chapter = manual.chapter("some")
    manual.names.cache_clear()
    manual.chapter.cache_clear()
    assert chapter is not None
    return str(chapter.body)


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("[a](tutorial.md)", '<p><a href="../tutorial/">a</a></p>\n'),
        ("[a](cli.md#errdex-match)", '<p><a href="../cli/#errdex-match">a</a></p>\n'),
        ("[a](../CONTRIBUTING.md)", '<p><a href="../contributing/">a</a></p>\n'),
        ("[a](docs/index.md)", '<p><a href="../">a</a></p>\n'),
        ("[a](https://example.org/x.md)", '<p><a href="https://example.org/x.md">a</a></p>\n'),
        ("# The `x` of *y*", '<h1 id="the-x-of-y">The <code>x</code> of <em>y</em></h1>\n'),
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"),
        ("<!-- gone -->\nstays", "<p>stays</p>\n"),
        ("`<&>`", "<p><code>&lt;&amp;&gt;</code></p>\n"),
        ("[a](javascript:x)", "<p>[a](javascript:x)</p>\n"),
    ],
)
def test_markdown_of_the_docs(
    markdown: str, html: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert render(markdown, monkeypatch, tmp_path) == html


def test_code_in_the_docs_is_colored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    html = render('```python\nreturn "<"\n```\n', monkeypatch, tmp_path)
    assert html == (
        '<pre tabindex="0"><code><i class=k>return</i> <i class=s>"&lt;"</i></code></pre>\n'
    )
