"""The pages of the site: every address, live and static alike."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from posixpath import normpath
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from errdex.database.connection import open_for_reading
from errdex.load import Options, ingest
from errdex.match.answers import Answer, Match, Span
from errdex_site import addresses
from errdex_site.pages import Site

CASES = Path(__file__).parent / "cases"
SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
SEED_PATH = "/sgl-project/sglang/lora-with-eagle-nextn-eagle3-speculative-decoding/"
BASE = "https://errdex.example/base"
MATCH = Match(
    id="aaead811d0809fef",
    repo="sgl-project/sglang",
    slug="lora-with-eagle-nextn-eagle3-speculative-decoding",
    error_class="ValueError",
    error_code=None,
    error_message="LoRA with {reason}.",
    severity="error",
    tier="exact",
    score=0.9,
    claimed=True,
    group=1,
    coverage=1.0,
    values={"reason": "<b> & so"},
    reasons=["the whole message"],
    spans=[Span(2, 6)],
    line=1,
)


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("pages") / "errdex.db"
    ingest([str(CASES / "records.jsonl"), str(SEED)], path, Options())
    opened = open_for_reading(path)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def site(connection: sqlite3.Connection) -> Site:
    return Site(connection, base_url=BASE)


class Links(HTMLParser):
    """The addresses that a page names, and the elements that it is made of."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.found += [value or "" for name, value in attrs if name in ("href", "src", "action")]


def text_of(body: str | bytes) -> str:
    return body if isinstance(body, str) else body.decode()


def test_every_path_of_the_site_is_named_once_and_answers(site: Site) -> None:
    paths = list(site.paths())
    assert len(set(paths)) == len(paths)
    bad = [path for path in paths if site.page(path).status != 200 and path != "/404.html"]
    assert bad == []


def test_every_inner_link_leads_to_a_page_of_the_site(site: Site) -> None:
    paths = set(site.paths())
    broken = set()
    for path in paths:
        page = site.page(path)
        if not page.content_type.startswith("text/html"):
            continue
        for link in Links(text_of(page.body)).found:
            parts = urlsplit(link)
            if parts.scheme or not parts.path:
                continue
            folder = "" if parts.path.startswith("/") else path.rpartition("/")[0] + "/"
            target = normpath(folder + parts.path.removeprefix("/base"))
            target = "/" + target.lstrip("/")
            target += "/" if parts.path.endswith(("/", "..", "/.")) and target != "/" else ""
            if target not in paths and not target.startswith("/e/"):
                broken.add((path, link, target))
    assert broken == set()


def test_live_pages_are_the_static_ones_but_for_the_paste_box(
    connection: sqlite3.Connection, site: Site
) -> None:
    live = Site(connection, base_url=BASE, live=True)
    different = [path for path in site.paths() if live.page(path) != site.page(path)]
    assert sorted(different) == ["/", "/match/"]


def test_a_page_shows_the_whole_anatomy_of_an_error(site: Site) -> None:
    html = text_of(site.page(SEED_PATH).body)
    headings = re.findall(r"<h2>(.*?)</h2>", html)
    assert headings == [
        "What it means",
        "When it is raised",
        "How people meet it",
        "Fixes",
        "Example fix",
        "Where it is raised",
        "In your code",
        "Prevention",
        "About this page",
    ]
    message = "LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding {reason}."
    assert f"<title>{message} · ValueError · sgl-project/sglang</title>" in html
    assert "speculative decoding <var>{reason}</var>.</h1>" in html
    assert "<mark>                <i class=k>raise</i>" in html
    assert "<b>10731</b>" in html
    assert "<del>--speculative-algorithm" in html
    assert "<ins>--speculative-algorithm" in html
    assert "server_args.py#L10731" in html
    assert f'<link rel="canonical" href="{BASE}{SEED_PATH}">' in html
    assert "sglang/issues?q=is%3Aissue%20%22LoRA%20with%20EAGLE" in html


def test_structured_data_names_the_article_and_its_place(site: Site) -> None:
    html = text_of(site.page(SEED_PATH).body)
    (text,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html)
    article, trail = json.loads(text)["@graph"]
    assert article["@type"] == "TechArticle"
    assert article["url"] == BASE + SEED_PATH
    assert [item["name"] for item in trail["itemListElement"]][:2] == [
        "errdex",
        "sgl-project/sglang",
    ]


def test_a_page_leads_to_its_record_in_its_envelope(site: Site) -> None:
    html = text_of(site.page(SEED_PATH).body)
    (link,) = re.findall(r'<a href="\.\./\.\./\.\.(/[^"]+\.json)">JSON</a>', html)
    found = json.loads(site.page(link).body)
    assert found["aaead811d0809fef"] == json.loads(SEED.read_text())


def test_records_stand_in_the_file_of_the_beginning_of_their_ids(site: Site) -> None:
    files = [path for path in site.paths() if path.startswith("/e/records/")]
    ids = [record_id for path in files for record_id in json.loads(site.page(path).body)]
    manifest = json.loads(site.page("/data/manifest.json").body)
    assert len(ids) == len(set(ids)) == manifest["counts"]["errors"]
    assert all(addresses.records_path(one) in files for one in ids)
    assert site.page("/e/records/fff.json").status == 404


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/e/aaead811d0809fef", 302, "/base" + SEED_PATH),
        ("/e/AAEAD811D0809FEF/", 302, "/base" + SEED_PATH),
        ("/e/ERR-aaead811d0809fef", 302, "/base" + SEED_PATH),
        (SEED_PATH[:-1], 301, "/base" + SEED_PATH),
        ("/SGL-Project/SGLang/", 301, "/base/sgl-project/sglang/"),
        ("/match", 301, "/base/match/"),
        ("/e/0000000000000000", 404, None),
        ("/nobody/nothing/", 404, None),
        ("/sgl-project/sglang/nothing/", 404, None),
        ("/sgl-project/sglang/-/2/", 404, None),
        ("/tags/nothing/", 404, None),
        ("/static/../pages.py", 404, None),
        ("/data/repos/nobody/nothing.json", 404, None),
        ("/" + "x" * 100_000, 404, None),
    ],
)
def test_moved_and_unknown_addresses(
    site: Site, path: str, status: int, location: str | None
) -> None:
    page = site.page(path)
    assert (page.status, page.location) == (status, location)


def test_a_slug_that_changed_keeps_redirecting(tmp_path: Path) -> None:
    path = tmp_path / "errdex.db"
    ingest([str(SEED)], path, Options())
    writing = sqlite3.connect(path)
    writing.execute("INSERT INTO aliases VALUES ('sgl-project/sglang', 'an-old-slug', 1)")
    writing.commit()
    writing.close()
    connection = open_for_reading(path)
    site = Site(connection)
    old = "/sgl-project/sglang/an-old-slug/"
    assert old in set(site.paths())
    page = site.page(old)
    assert (page.status, page.location) == (301, SEED_PATH)
    assert f'content="0;url=../../..{SEED_PATH}"' in text_of(page.body)
    connection.close()


def test_a_retired_record_says_so(tmp_path: Path) -> None:
    path = tmp_path / "errdex.db"
    ingest([str(SEED)], path, Options())
    writing = sqlite3.connect(path)
    writing.execute("UPDATE errors SET retired_at = '2026-11-01T00:00:00Z'")
    writing.commit()
    writing.close()
    connection = open_for_reading(path)
    site = Site(connection)
    assert "<strong>No longer raised.</strong>" in text_of(site.page(SEED_PATH).body)
    assert "<span>no longer raised</span>" in text_of(site.page("/sgl-project/sglang/").body)
    connection.close()


def test_no_page_holds_inline_script_or_style(site: Site) -> None:
    for path in site.paths():
        page = site.page(path)
        if not page.content_type.startswith("text/html"):
            continue
        for tag, attributes in Links(text_of(page.body)).elements:
            assert tag != "style"
            assert not any(name == "style" or name.startswith("on") for name in attributes)
            if tag == "script":
                assert "src" in attributes or attributes["type"] == "application/ld+json"


def test_ids_resolve_through_their_files(site: Site) -> None:
    found = json.loads(site.page("/e/ids/aa.json").body)
    assert found["aaead811d0809fef"] == SEED_PATH.strip("/")


def test_site_maps_name_every_page_once(site: Site) -> None:
    index = ElementTree.fromstring(text_of(site.page("/sitemap.xml").body))  # noqa: S314 # ours
    maps = [element.text or "" for element in index.iter() if element.tag.endswith("loc")]
    urls = []
    for address in maps:
        body = text_of(site.page(address.removeprefix(BASE)).body)
        urls += re.findall(r"<loc>(.*?)</loc>", body)
    assert len(set(urls)) == len(urls)
    expected = {BASE + path for path in site.paths() if path.endswith("/") and "/-/" not in path}
    assert set(urls) == expected


def test_the_feed_is_atom_and_leads_to_pages(site: Site) -> None:
    feed = ElementTree.fromstring(text_of(site.page("/feed.xml").body))  # noqa: S314 # ours
    atom = "{http://www.w3.org/2005/Atom}"
    links = [entry.find(f"{atom}link") for entry in feed.iter(f"{atom}entry")]
    assert len(links) == 50
    for link in links:
        assert link is not None
        assert site.page("/" + link.attrib["href"]).status == 200


def test_without_a_base_address_nothing_claims_one(connection: sqlite3.Connection) -> None:
    site = Site(connection)
    assert "/sitemap.xml" not in set(site.paths())
    assert site.page("/opensearch.xml").status == 404
    assert "canonical" not in text_of(site.page(SEED_PATH).body)


def test_the_manifest_states_the_size_and_hash_of_its_files(site: Site) -> None:
    manifest = json.loads(site.page("/data/manifest.json").body)
    assert manifest["counts"] == {"repos": 8, "errors": 118}
    for file in manifest["files"].values():
        body = site.page(f"/data/{file['path']}").body
        assert isinstance(body, bytes)
        assert (len(body), hashlib.sha256(body).hexdigest()) == (file["bytes"], file["sha256"])
        if file.get("encoding") == "gzip":
            raw = gzip.decompress(body)
            found = (len(raw), hashlib.sha256(raw).hexdigest())
            assert found == (file["rawBytes"], file["rawSha256"])


def test_the_dataset_holds_every_record(site: Site) -> None:
    index = json.loads(gzip.decompress(site.page("/data/index.json.gz").body))  # type: ignore[arg-type] # bytes here
    repos = json.loads(site.page("/data/repos.json").body)
    records = [
        record
        for repo in repos
        for record in json.loads(site.page(addresses.repo_data_path(repo["repo"])).body)
    ]
    assert sum(repo["errorCount"] for repo in repos) == len(records) == 118
    assert {entry["id"] for entry in index["errors"]} == {record["id"] for record in records}


def test_an_answer_is_shown_with_values_place_and_reason(site: Site) -> None:
    html = text_of(site.match_page("a LoRA <x>", Answer(matches=[MATCH], secret=True)).body)
    assert f"..{SEED_PATH}#v=reason=%3Cb%3E%20%26%20so" in html
    assert "a <mark>LoRA</mark> &lt;x&gt;" in html
    assert "<dd><code>&lt;b&gt; &amp; so</code></dd>" in html
    assert "the whole message" in html
    assert "seems to hold a secret" in html
    assert ">a LoRA &lt;x&gt;</textarea>" in html


def test_an_answer_without_matches_says_that_nothing_is_known(site: Site) -> None:
    html = text_of(site.match_page("x", Answer(matches=[], secret=False)).body)
    assert "<h2>Nothing known</h2>" in html
