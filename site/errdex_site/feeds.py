"""Files for machines: site maps, the feed, robots.txt, llms.txt, ids → paths and records."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple

import msgspec
from markupsafe import Markup, escape

from errdex.database import browse
from errdex.database.queries import entries_with_prefix, entry_by_id
from errdex.encode import encode_envelope
from errdex.records import Entry
from errdex_site import addresses, manual
from errdex_site.earlier import Earlier, listed, together
from errdex_site.invisible import shorten
from errdex_site.lists import Lists
from errdex_site.markdown import plain

SITEMAP_SIZE = 50_000
"""Addresses in one site map file: what the protocol allows."""
_FEED_SIZE = 50


class FeedEntry(NamedTuple):
    """One error in the feed."""

    id: str
    path: str
    title: str
    summary: str
    updated: str


def sitemaps(browser: browse.Browser) -> int:
    """How many site map files there are: one of lists, then the errors'."""
    return 1 + -(-browser.totals().errors // SITEMAP_SIZE)


def sitemap(connection: sqlite3.Connection, lists: Lists, number: int, base_url: str) -> Markup:
    """The addresses of one site map file, counted from 1, as its elements."""
    base = escape(base_url)
    rows = [
        f"<url><loc>{base}{escape(path)}</loc>" + (f"<lastmod>{day}</lastmod>" if day else "")
        for path, day in _mapped(connection, lists, number)
    ]
    return Markup("</url>\n".join([*rows, ""]))  # noqa: S704 # escaped above


def _mapped(
    connection: sqlite3.Connection, lists: Lists, number: int
) -> Iterator[tuple[str, str | None]]:
    """(path, day of the last change or None)."""
    if number == 1:
        own = [addresses.HOME, addresses.MATCH, *map(addresses.docs_path, manual.names())]
        paths = chain(own, lists.name_paths(), lists.error_paths(first_only=True))
        yield from ((path, None) for path in islice(paths, SITEMAP_SIZE))
        return
    offset = (number - 2) * SITEMAP_SIZE
    for repo, slug, analyzed_at in browse.addresses(connection, SITEMAP_SIZE, offset):
        yield addresses.error_path(repo, slug), analyzed_at[:10]


def feed(connection: sqlite3.Connection) -> list[FeedEntry]:
    """The newest errors, newest first."""
    return [
        FeedEntry(
            id=mention.id,
            path=addresses.error_path(mention.repo, mention.slug),
            title=f"{shorten(mention.error_message, 160)} · {mention.repo}",
            summary=plain(mention.documentation, 300),
            updated=mention.analyzed_at,
        )
        for mention in browse.newest(connection, _FEED_SIZE)
    ]


def ids(connection: sqlite3.Connection, prefix: str) -> bytes:
    """`{id: path, …}` without the path's slashes at either end."""
    found = {
        record_id: addresses.error_path(repo, slug)[1:-1]
        for record_id, repo, slug in browse.ids_with_prefix(connection, prefix)
    }
    return msgspec.json.encode(found)


def records(
    connection: sqlite3.Connection, path: str, prefix: str, earlier: Earlier | None = None
) -> bytes | None:
    """`{id: envelope, …}`, a record a line; None where no id begins so. What has not changed
    since an earlier build is taken from its file at `path`."""
    if earlier is None:
        found = together(map(_record, entries_with_prefix(connection, prefix)))
    else:
        ids = browse.ids_beginning(connection, prefix)
        found = earlier.items(path, ids, '"', lambda one: _record(entry_by_id(connection, one)))
    first = next(found, None)
    return b"".join(listed(b"{", chain([first], found), b"}\n")) if first else None


def _record(entry: Entry | None) -> bytes:
    assert entry is not None  # noqa: S101 # the id is from the same state of the database
    return f'"{entry.record.id}":'.encode() + encode_envelope(entry)


def robots(base_url: str) -> str:
    """robots.txt: everything may be read."""
    site_map = f"\nSitemap: {base_url}{addresses.SITEMAP}\n" if base_url else ""
    return f"User-agent: *\nAllow: /\n{site_map}"


def llms(base_url: str, browser: browse.Browser) -> str:
    """llms.txt: what is where, for language models."""
    totals = browser.totals()
    repos = "".join(
        f"- [{name}]({base_url}{addresses.repo_path(name)}): {errors} errors\n"
        for name, errors in browser.largest("repo", 50)
    )
    return f"""# errdex

> What {totals.errors} errors of {totals.repos} open-source projects mean and how to fix them. \
One page an error, with the message, its causes, fixes in order, and the source that raises it.

The short link `/e/ID` leads to an error's page `/owner/repo/slug/` and never changes. \
Its record is in `/e/records/XXX.json`, where XXX are the first three digits of the ID.

## Dataset

- [Manifest]({base_url}{addresses.MANIFEST}): sizes and hashes of the files below
- [Index]({base_url}{addresses.INDEX}): id, message and pattern of every error
- [Repos]({base_url}{addresses.REPOS_JSON}): every repo; records: `/data/repos/OWNER/NAME.json`

## Lists

- [Repos]({base_url}{addresses.REPOS})
- [Families]({base_url}{addresses.FAMILIES})
- [Tags]({base_url}{addresses.TAGS})
- [Codes]({base_url}{addresses.CODES})

## Largest repos

{repos}"""
