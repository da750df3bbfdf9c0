"""The pages that list things: repos, tags, families, codes, and the errors under each."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import NamedTuple

from errdex.database.browse import Browser, By, repo_facts
from errdex_site import addresses
from errdex_site.addresses import Route

ERRORS_A_PAGE = 100
NAMES_A_PAGE = 400
REPOS_A_PAGE = 100


class Listed(NamedTuple):
    """A page of a list: where it stands, and what its template needs."""

    path: str
    template: str
    values: dict[str, object]


class Pages(NamedTuple):
    """Where a page stands among those of its list."""

    page: int
    last: int
    previous: str | None
    next: str | None


class _Group(NamedTuple):
    by: By
    title: str
    intro: str
    names: Callable[[int], str]
    errors: Callable[[str, int], str | None]


PATHS: dict[By, Callable[[str, int], str | None]] = {
    "repo": addresses.repo_path,
    "tag": addresses.tag_path,
    "family": addresses.family_path,
    "code": addresses.code_path,
}
"""The address of a list of errors, by what it lists: name and page → path."""

_GROUPS = {
    "tag": _Group(
        "tag", "Tags", "What the errors have to do with.", addresses.tags_path, addresses.tag_path
    ),
    "family": _Group(
        "family",
        "Families",
        "Errors that mean the same thing in different libraries.",
        addresses.families_path,
        addresses.family_path,
    ),
    "code": _Group(
        "code",
        "Error codes",
        "The codes that projects give their own errors.",
        addresses.codes_path,
        addresses.code_path,
    ),
}
_INDEXES = {"tags": "tag", "families": "family", "codes": "code"}


class Lists:
    """Every list page of one open database."""

    def __init__(self, connection: sqlite3.Connection, browser: Browser) -> None:
        self._connection = connection
        self._browser = browser

    def list(self, route: Route) -> Listed | None:
        """The page of a route; None where there is none."""
        if route.kind == "repos":
            return self._repos(route.page)
        if route.kind == "repo":
            return self._repo(route.name, route.page)
        if route.kind in _INDEXES:
            return self._names(_GROUPS[_INDEXES[route.kind]], route.page)
        if route.kind in _GROUPS:
            return self._errors(_GROUPS[route.kind], route.name, route.page)
        return None

    def name_paths(self) -> Iterator[str]:
        """The pages that list repos, tags, families and codes."""
        repos = self._browser.count_names("repo")
        yield from map(addresses.repos_path, range(1, _last(repos, REPOS_A_PAGE) + 1))
        for group in _GROUPS.values():
            names = self._browser.count_names(group.by)
            yield from map(group.names, range(1, _last(names, NAMES_A_PAGE) + 1))

    def error_paths(self, *, first_only: bool = False) -> Iterator[str]:
        """The pages that list errors, or only the first of each list."""
        for by, path_of in PATHS.items():
            for name, errors in self._all_names(by):
                last = 1 if first_only else _last(errors, ERRORS_A_PAGE)
                paths = (path_of(name, page) for page in range(1, last + 1))
                yield from (path for path in paths if path is not None)

    def _all_names(self, by: By) -> Iterator[tuple[str, int]]:
        for offset in range(0, self._browser.count_names(by), NAMES_A_PAGE):
            yield from self._browser.names(by, NAMES_A_PAGE, offset)

    def _repos(self, page: int) -> Listed | None:
        pages = _pages(page, self._browser.count_names("repo"), REPOS_A_PAGE, addresses.repos_path)
        if pages is None:
            return None
        facts = repo_facts(self._connection, REPOS_A_PAGE, (page - 1) * REPOS_A_PAGE)
        values: dict[str, object] = {
            "pages": pages,
            "repos": [(addresses.repo_path(fact.repo), fact) for fact in facts],
            "total": self._browser.count_names("repo"),
        }
        return Listed(addresses.repos_path(page), "repos.html", values)

    def _repo(self, repo: str, page: int) -> Listed | None:
        facts = self._browser.facts(repo)
        if facts is None:
            return None
        name = facts.repo
        pages = _pages(page, facts.errors, ERRORS_A_PAGE, lambda at: addresses.repo_path(name, at))
        if pages is None:
            return None
        values: dict[str, object] = {
            "pages": pages,
            "facts": facts,
            "errors": self._browser.errors("repo", name, ERRORS_A_PAGE, (page - 1) * ERRORS_A_PAGE),
        }
        return Listed(addresses.repo_path(name, page), "repo.html", values)

    def _names(self, group: _Group, page: int) -> Listed | None:
        total = self._browser.count_names(group.by)
        pages = _pages(page, total, NAMES_A_PAGE, group.names)
        if pages is None:
            return None
        names = self._browser.names(group.by, NAMES_A_PAGE, (page - 1) * NAMES_A_PAGE)
        values: dict[str, object] = {
            "pages": pages,
            "heading": group.title,
            "intro": group.intro,
            "total": total,
            "names": [(group.errors(name, 1), name, errors) for name, errors in names],
        }
        return Listed(group.names(page), "names.html", values)

    def _errors(self, group: _Group, name: str, page: int) -> Listed | None:
        total = self._browser.count(group.by, name)
        path = group.errors(name, page)
        pages = _pages(page, total, ERRORS_A_PAGE, lambda at: group.errors(name, at))
        if not total or pages is None or path is None:
            return None
        values: dict[str, object] = {
            "pages": pages,
            "kind": group.by,
            "name": name,
            "group_title": group.title,
            "group_path": group.names(1),
            "total": total,
            "errors": self._browser.errors(
                group.by, name, ERRORS_A_PAGE, (page - 1) * ERRORS_A_PAGE
            ),
        }
        return Listed(path, "errors.html", values)


def _last(total: int, size: int) -> int:
    return max(1, -(-total // size))


def _pages(page: int, total: int, size: int, path: Callable[[int], str | None]) -> Pages | None:
    """None when the list has no such page."""
    last = _last(total, size)
    if page > last:
        return None
    return Pages(
        page,
        last,
        path(page - 1) if page > 1 else None,
        path(page + 1) if page < last else None,
    )
