"""Permanent addresses: what a thing's path is, and what a path names."""

from __future__ import annotations

from posixpath import normpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errdex_site import addresses
from errdex_site.addresses import Route

REPOS = st.from_regex(
    r"[A-Za-z0-9][A-Za-z0-9_-]{0,20}/(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,20}", fullmatch=True
)
SLUGS = st.from_regex(r"[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)


@given(REPOS, SLUGS, st.integers(1, 99))
def test_every_path_of_a_repo_leads_back_to_it(repo: str, slug: str, page: int) -> None:
    assert addresses.parse(addresses.repo_path(repo, page)) == Route("repo", repo, page=page)
    assert addresses.parse(addresses.error_path(repo, slug)) == Route("error", repo, slug)
    assert addresses.repo_of_data_path(addresses.repo_data_path(repo)) == repo


@given(st.text(min_size=1, max_size=30), st.integers(1, 9))
def test_every_code_has_a_path_of_plain_characters_that_leads_back(code: str, page: int) -> None:
    path = addresses.code_path(code, page)
    if path is not None:
        assert path.isascii()
        assert normpath(path) + "/" == path
        assert addresses.parse(path) == Route("code", code, page=page)


def test_a_code_that_no_file_can_be_named_after_has_no_page() -> None:
    assert addresses.code_path("x" * 500) is None


@given(st.text(max_size=60))
def test_no_text_is_a_path_that_fails(text: str) -> None:
    addresses.parse(text)
    addresses.parse(f"/{text}/")


@pytest.mark.parametrize(
    ("repo", "path"),
    [
        ("acme/flow", "/acme/flow/"),
        ("match/x", "/~match/x/"),
        ("Tags/x", "/~Tags/x/"),
        ("con/nul.txt", "/~con/~nul.txt/"),
        ("acme/.github", "/acme/~.github/"),
        ("acme/ends.", "/acme/ends.~/"),
        ("acme/-", "/acme/~-/"),
    ],
)
def test_a_name_that_collides_or_cannot_be_stored_is_marked(repo: str, path: str) -> None:
    assert addresses.repo_path(repo) == path


@pytest.mark.parametrize(
    "path",
    ["", "x", "//", "/a//b/", "/tags/x/y/", "/a/b/-/1/", "/a/b/-/01/", "/match/x/", "/codes/~/"],
)
def test_what_is_no_address_of_ours_names_nothing(path: str) -> None:
    assert addresses.parse(path) is None


@pytest.mark.parametrize("path", ["/", "/match/", "/a/b/c/", "/a/b/-/2/", "/data/repos.json"])
def test_up_leads_from_a_page_to_the_root(path: str) -> None:
    folder = path.rpartition("/")[0] + "/"
    assert normpath(folder + addresses.up(path)) in ("/", "//")


def test_a_page_is_the_index_of_its_folder_and_all_else_a_file() -> None:
    assert addresses.file_of("/") == "index.html"
    assert addresses.file_of("/a/b/") == "a/b/index.html"
    assert addresses.file_of("/data/repos.json") == "data/repos.json"


def test_values_stand_percent_encoded_in_the_fragment() -> None:
    assert addresses.values_fragment({"a b": "1&2=3", "c": "é"}) == "#v=a%20b=1%262%3D3&c=%C3%A9"
    assert addresses.values_fragment({}) == ""
