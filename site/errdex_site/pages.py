"""Any path of the site → the page that stands there, live and static alike."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from errdex.database import browse
from errdex.database.queries import entry_by_id, entry_by_slug
from errdex.match.answers import Answer
from errdex_site import addresses, assets, feeds, found, lists, manual
from errdex_site.addresses import Route
from errdex_site.blocks import error_rows, facts, tag_links
from errdex_site.dataset import Dataset
from errdex_site.earlier import Earlier
from errdex_site.invisible import shorten
from errdex_site.policy import POLICY, headers_file
from errdex_site.render import error_view, structured_data
from errdex_site.shards import Shards
from errdex_site.templating import Templates
from errdex_site.wrapping import caught

HTML = "text/html; charset=utf-8"
JSON = "application/json"
XML = "application/xml"
TEXT = "text/plain; charset=utf-8"


class Page(NamedTuple):
    """What is answered at a path. A redirect has a body too, for hosts that cannot redirect."""

    path: str
    status: int
    content_type: str
    body: str | bytes
    location: str | None = None
    """Where a redirect leads, from the root of the host; else None."""


class Site:
    """The pages of one open database."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        base_url: str = "",
        templates: Path | None = None,
        live: bool = False,
    ) -> None:
        self._connection = connection
        self.base_url = base_url.rstrip("/")
        self._base_path = urlsplit(self.base_url).path
        self._browser = browse.Browser(connection)
        self.shards = Shards(connection)
        self._lists = lists.Lists(connection, self._browser)
        self._published = Dataset(connection, self._browser)
        self._handlers: dict[str, Callable[[str, Route], Page | None]] = {
            "home": self._home,
            "match": self._match,
            "error": self._error,
            "short": self._short,
            "ids": self._ids,
            "records": self._records,
            "dataset": self._dataset,
            "sitemap": self._sitemap,
            "static": self._static,
            "index": self._index,
            "docs": self._docs,
            "file": self._file,
        }
        self.templates = Templates(templates)
        self.templates.share(
            policy=POLICY,
            base_url=self.base_url,
            live=live,
            asset=assets.versioned,
            assets=assets.names(),
            short=shorten,
            error_rows=error_rows,
            tag_links=tag_links,
            facts=facts,
        )

    def page(self, path: str) -> Page:
        """The page at `path`; unknown ones answer 404, moved ones redirect.

        Raises TemplateMissing or TemplateBroken.
        """
        route = addresses.parse(path)
        if route is None:
            with_slash = addresses.parse(path + "/")
            if with_slash and self._answer(path + "/", with_slash):
                return self._moved(path, path + "/", 301)
            return self._not_found(path)
        return self._answer(path, route) or self._not_found(path)

    def chunks(self, path: str, earlier: Earlier | None = None) -> Iterator[bytes] | None:
        """A file that may be large, or changes in few places, piece by piece; None where `page`
        is the way. What has not changed since an earlier build is taken from its files."""
        route = addresses.parse(path)
        if route is None or route.kind not in ("dataset", "records"):
            return None
        if route.kind == "dataset":
            return self._published.chunks(path, earlier)
        body = feeds.records(self._connection, path, route.name, earlier)
        return iter([body]) if body is not None else None

    def paths(self) -> Iterator[str]:
        """Everything that a static build writes, in an order that only the records decide."""
        yield from self.general_paths()
        yield from self.shards.paths()
        yield from self._lists.error_paths()
        for fact in browse.all_repo_facts(self._connection):
            yield addresses.repo_data_path(fact.repo)
        for repo, slug in browse.aliases(self._connection):
            yield addresses.error_path(repo, slug)
        for repo, slug, _ in browse.addresses(self._connection, -1):
            yield addresses.error_path(repo, slug)
        for prefix in browse.id_prefixes(self._connection, addresses.RECORD_DIGITS):
            yield addresses.records_path(prefix)

    def general_paths(self) -> Iterator[str]:
        """What is neither of errors, nor a list of them, nor data, nor the browser's index."""
        yield from (addresses.HOME, addresses.MATCH)
        yield from (
            file
            for file in addresses.FILES
            if self.base_url or file not in (addresses.SITEMAP, addresses.OPENSEARCH)
        )
        yield from map(addresses.static_path, assets.names())
        yield from map(addresses.docs_path, manual.names())
        yield from self._lists.name_paths()
        yield from map(addresses.ids_path, map("{:02x}".format, range(256)))
        if self.base_url:
            yield from map(addresses.sitemap_path, range(1, feeds.sitemaps(self._browser) + 1))
        yield from (addresses.INDEX, addresses.INDEX_GZ, addresses.REPOS_JSON, addresses.MANIFEST)

    def match_page(self, text: str, answer: Answer) -> Page:
        """The page that shows what was found in a pasted text."""
        shown = found.show(text, answer)
        return self._html(addresses.MATCH, "match.html", text=text, found=shown)

    # -- one method a kind of page --------------------------------------------------------

    def _answer(self, path: str, route: Route) -> Page | None:
        """The page of a route, None where there is nothing."""
        return self._handlers.get(route.kind, self._list)(path, route)

    def _home(self, path: str, route: Route) -> Page:
        return self._html(
            path,
            "home.html",
            totals=self._browser.totals(),
            repos=[(addresses.repo_path(n), n, c) for n, c in self._browser.largest("repo", 24)],
            families=[
                (addresses.family_path(n), n, c) for n, c in self._browser.largest("family", 24)
            ],
            text="",
        )

    def _match(self, path: str, route: Route) -> Page:
        return self._html(path, "match.html", text="", found=None)

    def _list(self, path: str, route: Route) -> Page | None:
        listed = self._lists.list(route)
        if listed is None:
            return None
        if listed.path != path:
            return self._moved(path, listed.path, 301)
        return self._html(path, listed.template, **listed.values)

    def _error(self, path: str, route: Route) -> Page | None:
        entry = entry_by_slug(self._connection, route.name, route.slug)
        if entry is None:
            return None
        record = entry.record
        if path != (right := addresses.error_path(record.repo, record.slug)):
            return self._moved(path, right, 301)
        view = error_view(entry)
        family, line = record.background_tag, record.line_number
        names = caught(record.source_code, record.source_code_start, line)
        return self._html(
            path,
            "error.html",
            entry=entry,
            record=record,
            view=view,
            data=structured_data(entry, view, self.base_url),
            repo_path=addresses.repo_path(record.repo),
            record_path=addresses.records_path(record.id),
            family_path=addresses.family_path(family) if family else None,
            nearby=browse.same_file(
                self._connection, record.repo, record.file_path, line, record.id
            ),
            wrapped=browse.of_classes(
                self._connection, record.repo, names, record.file_path, record.id
            )
            if names
            else [],
            family=browse.same_family(self._connection, family, record.id) if family else [],
        )

    def _short(self, path: str, route: Route) -> Page | None:
        entry = entry_by_id(self._connection, route.name.lower().removeprefix("err-"))
        if entry is None:
            return None
        right = addresses.error_path(entry.record.repo, entry.record.slug)
        return self._moved(path, right, 302)

    def _ids(self, path: str, route: Route) -> Page:
        return Page(path, 200, JSON, feeds.ids(self._connection, route.name))

    def _records(self, path: str, route: Route) -> Page | None:
        body = feeds.records(self._connection, path, route.name)
        return Page(path, 200, JSON, body) if body is not None else None

    def _dataset(self, path: str, route: Route) -> Page | None:
        chunks = self._published.chunks(path)
        if chunks is None:
            return None
        packed = path.endswith(".gz")
        return Page(path, 200, "application/gzip" if packed else JSON, b"".join(chunks))

    def _sitemap(self, path: str, route: Route) -> Page | None:
        if not self.base_url or route.page > feeds.sitemaps(self._browser):
            return None
        urls = feeds.sitemap(self._connection, self._lists, route.page, self.base_url)
        return Page(path, 200, XML, self.templates.render("sitemap.xml", urls=urls))

    def _static(self, path: str, route: Route) -> Page | None:
        body = assets.read(route.name)
        return Page(path, 200, assets.content_type(route.name), body) if body is not None else None

    def _docs(self, path: str, route: Route) -> Page | None:
        chapter = manual.chapter(route.name)
        if chapter is None:
            return None
        return self._html(path, "manual.html", chapter=chapter, front=not route.name)

    def _index(self, path: str, route: Route) -> Page | None:
        body = self.shards.file(path)
        return Page(path, 200, JSON, body) if body is not None else None

    def _file(self, path: str, route: Route) -> Page | None:
        if path == addresses.NOT_FOUND:
            return self._not_found(path)
        if path == addresses.ROBOTS:
            return Page(path, 200, TEXT, feeds.robots(self.base_url))
        if path == addresses.LLMS:
            return Page(path, 200, TEXT, feeds.llms(self.base_url, self._browser))
        if path == addresses.HEADERS:
            return Page(path, 200, TEXT, headers_file())
        if path == addresses.NO_JEKYLL:
            return Page(path, 200, TEXT, "")
        if path == addresses.FEED:
            entries = feeds.feed(self._connection)
            body = self.templates.render("feed.xml", entries=entries)
            return Page(path, 200, "application/atom+xml", body)
        if not self.base_url:
            return None  # neither a site map nor a search description may hold a relative address
        if path == addresses.SITEMAP:
            maps = map(addresses.sitemap_path, range(1, feeds.sitemaps(self._browser) + 1))
            return Page(path, 200, XML, self.templates.render("sitemaps.xml", maps=list(maps)))
        body = self.templates.render("opensearch.xml")
        return Page(path, 200, "application/opensearchdescription+xml", body)

    # -- answers --------------------------------------------------------------------------

    def _html(self, path: str, template: str, /, **values: object) -> Page:
        body = self.templates.render(template, path=path, root=addresses.up(path), **values)
        return Page(path, 200, HTML, body)

    def _not_found(self, path: str) -> Page:
        # it stands in for pages at any depth, so its links begin at the root of the host
        body = self.templates.render("404.html", path=path, root=self._base_path)
        return Page(path, 404, HTML, body)

    def _moved(self, path: str, right: str, status: int) -> Page:
        target = addresses.up(path) + right
        body = self.templates.render("moved.html", target=target, path=right)
        return Page(path, status, HTML, body, self._base_path + right)
