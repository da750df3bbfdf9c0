"""Every permanent address, in one place: what a thing's path is, and what a path names.

A path begins with `/` and knows nothing of where the site is mounted. Pages end in `/`;
everything else is a file. Inner links are relative (`up(path) + other`), so that one and
the same page works under every base path.

    /  /match/  /repos/  /tags/  /families/  /codes/     pages of our own
    /{owner}/{repo}/                                     every error of a repo
    /{owner}/{repo}/{slug}/                              one error
    /e/{id}                                              short link, redirects
    /docs/{page}/                                        the documentation
    /tags/{tag}/  /families/{family}/  /codes/{code}/    lists
    …/-/2/                                               second page of any list
    /e/ids/{xx}.json                                     ids that begin with xx → paths
    /e/records/{xxx}.json                                ids that begin with xxx → records
    /data/…  /sitemaps/{n}.xml  /static/…  /feed.xml …   files
    …#v=name=value&other=value                           the reader's own values

Names that would collide with ours, or that Windows cannot store, are marked with `~`,
which no owner, repo, slug or tag holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple
from urllib.parse import quote

Kind = Literal[
    "home",
    "match",
    "repos",
    "repo",
    "error",
    "short",
    "tags",
    "tag",
    "families",
    "family",
    "codes",
    "code",
    "ids",
    "records",
    "sitemap",
    "dataset",
    "index",
    "static",
    "docs",
    "file",
]

HOME = "/"
MATCH = "/match/"
REPOS = "/repos/"
TAGS = "/tags/"
FAMILIES = "/families/"
CODES = "/codes/"
DOCS = "/docs/"
NOT_FOUND = "/404.html"
SITEMAP = "/sitemap.xml"
FEED = "/feed.xml"
OPENSEARCH = "/opensearch.xml"
ROBOTS = "/robots.txt"
LLMS = "/llms.txt"
HEADERS = "/_headers"
NO_JEKYLL = "/.nojekyll"
MANIFEST = "/data/manifest.json"
INDEX = "/data/index.json"
INDEX_GZ = "/data/index.json.gz"
REPOS_JSON = "/data/repos.json"
REPO_DATA = "/data/repos/"

FILES = (NOT_FOUND, SITEMAP, FEED, OPENSEARCH, ROBOTS, LLMS, HEADERS, NO_JEKYLL)
"""Single files at the top of the site."""

RESERVED = frozenset(
    {
        "-",
        "api",
        "codes",
        "data",
        "db",
        "docs",
        "e",
        "families",
        "healthz",
        "match",
        "oembed",
        "readyz",
        "repos",
        "search",
        "sitemaps",
        "static",
        "tags",
    }
)
"""First segments that are ours, live or static; an owner of that name gets a `~`."""

RECORD_DIGITS = 3
"""Hex digits that the ids of one file of records share: a file each would be too many for most
hosts of static sites, and these hold 30 records at 128,000."""

_WINDOWS = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?\Z", re.IGNORECASE)
_MAX_CODE = 120
_LISTS: dict[str, tuple[Kind, Kind]] = {
    "tags": ("tags", "tag"),
    "families": ("families", "family"),
    "codes": ("codes", "code"),
}


class Route(NamedTuple):
    """What a path names. `name` is a repo, id, tag, family, code, hex prefix or file path."""

    kind: Kind
    name: str = ""
    slug: str = ""
    page: int = 1


# -- thing → path -------------------------------------------------------------------------


@lru_cache(1000)
def repo_path(repo: str, page: int = 1) -> str:
    """The list of a repo's errors."""
    owner, _, name = repo.partition("/")
    mark = "~" if owner.lower() in RESERVED else ""
    return _paged(f"/{mark}{_segment(owner)}/{_segment(name)}/", page)


def error_path(repo: str, slug: str) -> str:
    """The page of one error."""
    return f"{repo_path(repo)}{_segment(slug)}/"


def short_path(record_id: str) -> str:
    """The short link of one error, which never changes."""
    return f"/e/{record_id}"


def repos_path(page: int = 1) -> str:
    """The list of repos."""
    return _paged(REPOS, page)


def tags_path(page: int = 1) -> str:
    """The list of tags."""
    return _paged(TAGS, page)


def tag_path(tag: str, page: int = 1) -> str:
    """The errors with this tag."""
    return _paged(f"{TAGS}{_segment(tag)}/", page)


def families_path(page: int = 1) -> str:
    """The list of families."""
    return _paged(FAMILIES, page)


def family_path(family: str, page: int = 1) -> str:
    """The errors of this family, across libraries."""
    return _paged(f"{FAMILIES}{_segment(family)}/", page)


def docs_path(name: str) -> str:
    """A page of the documentation; its first one has no name."""
    return f"{DOCS}{name}/" if name else DOCS


def codes_path(page: int = 1) -> str:
    """The list of error codes."""
    return _paged(CODES, page)


def code_path(code: str, page: int = 1) -> str | None:
    """The errors with this code; None when the code is too long for a file name."""
    segment = _code_segment(code)
    return _paged(f"{CODES}{segment}/", page) if segment else None


def ids_path(prefix: str) -> str:
    """The file that resolves the ids that begin with these two hex digits."""
    return f"/e/ids/{prefix}.json"


def records_path(record_id: str) -> str:
    """The file that holds this record, with all others whose ids begin as its own does."""
    return f"/e/records/{record_id[:RECORD_DIGITS]}.json"


def sitemap_path(number: int) -> str:
    """One file of the sitemap, counted from 1."""
    return f"/sitemaps/{number}.xml"


def repo_data_path(repo: str) -> str:
    """The records of a repo in the published dataset, whose layout is that of its clients."""
    owner, _, name = repo.partition("/")
    return f"{REPO_DATA}{_segment(owner)}/{_segment(name)}.json"


def repo_of_data_path(path: str) -> str | None:
    """The repo whose records stand at this path of the dataset; None when it is no such path."""
    hit = re.fullmatch(r"/data/repos/([^/]+)/([^/]+)\.json", path)
    return f"{_plain(hit[1])}/{_plain(hit[2])}" if hit else None


def static_path(name: str) -> str:
    """A style sheet or script of ours."""
    return f"/static/{name}"


def values_fragment(values: Mapping[str, str]) -> str:
    """`#v=name=value&other=value`, both sides percent-encoded; empty without values."""
    pairs = [f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in values.items()]
    return "#v=" + "&".join(pairs) if pairs else ""


def up(path: str) -> str:
    """What leads from `path` to the site's root, without a slash at its end: `.`, `..`, …"""
    return "/".join([".."] * (path.count("/") - 1)) or "."


def file_of(path: str) -> str:
    """The file, relative to the site's folder, that holds what stands at `path`."""
    return path[1:] + "index.html" if path.endswith("/") else path[1:]


# -- path → thing -------------------------------------------------------------------------


def parse(path: str) -> Route | None:
    """What the path names, whether or not such a thing exists; None for no address of ours."""
    if path in FILES:
        return Route("file", path)
    if not path.startswith("/") or "//" in path:
        return None
    if not path.endswith("/"):
        return _parse_file(path[1:].split("/"), path)
    segments = path[1:-1].split("/") if path != "/" else []
    page = 1
    if len(segments) >= 3 and segments[-2] == "-" and re.fullmatch(r"[1-9]\d{0,8}", segments[-1]):
        page = int(segments[-1])
        segments = segments[:-2]
        if page == 1:
            return None
    route = _parse_page(segments)
    if route is None or page == 1:
        return route
    pageable = route.kind not in ("home", "match", "docs", "error")
    return route._replace(page=page) if pageable else None


def _parse_page(segments: list[str]) -> Route | None:
    match segments:
        case []:
            return Route("home")
        case ["match"]:
            return Route("match")
        case ["docs", *rest] if len(rest) < 2:
            return Route("docs", "".join(rest))
        case ["repos"]:
            return Route("repos")
        case [("tags" | "families" | "codes") as listed]:
            return Route(_LISTS[listed][0])
        case [("tags" | "families") as listed, name]:
            return Route(_LISTS[listed][1], _plain(name))
        case ["e", record_id]:
            return Route("short", record_id)
        case ["codes", name]:
            code = _code(name)
            return Route("code", code) if code is not None else None
        case [owner, name] if owner.lower() not in RESERVED:
            return Route("repo", f"{_plain(owner)}/{_plain(name)}")
        case [owner, name, slug] if owner.lower() not in RESERVED:
            return Route("error", f"{_plain(owner)}/{_plain(name)}", _plain(slug))
    return None


def _parse_file(segments: list[str], path: str) -> Route | None:
    match segments:
        case ["e", record_id]:
            return Route("short", record_id)
        case ["e", "ids", name] if re.fullmatch(r"[0-9a-f]{2}\.json", name):
            return Route("ids", name[:2])
        case ["e", "records", name] if re.fullmatch(r"[0-9a-f]{3}\.json", name):
            return Route("records", name[:3])
        case ["sitemaps", name] if re.fullmatch(r"[1-9]\d{0,5}\.xml", name):
            return Route("sitemap", page=int(name[:-4]))
        case ["data", *_]:
            return Route("dataset", path)
        case ["match", _, *_]:
            return Route("index", path)
        case ["static", *rest]:
            return Route("static", "/".join(rest))
    return None


# -- segments -----------------------------------------------------------------------------


def _paged(path: str, page: int) -> str:
    return path if page == 1 else f"{path}-/{page}/"


def _segment(name: str) -> str:
    """The name as a folder that every system can store."""
    if name == "-" or name.startswith(".") or _WINDOWS.match(name):
        name = "~" + name
    return name + "~" if name.endswith(".") else name


def _plain(segment: str) -> str:
    return segment.strip("~")


def _code_segment(code: str) -> str:
    """Codes may hold anything: what is not plain is written as `~` and the byte in hex."""
    text = re.sub(
        r"[^A-Za-z0-9._-]|^\.|\.\Z|^-\Z",
        lambda hit: "".join(f"~{byte:02X}" for byte in hit[0].encode(errors="surrogatepass")),
        code,
    )
    if _WINDOWS.match(text):
        text = f"~{ord(text[0]):02X}{text[1:]}"
    return text if len(text) <= _MAX_CODE else ""


def _code(segment: str) -> str | None:
    """The code that is written so; None when none is."""
    pieces = re.sub(
        r"(?:~[0-9A-F]{2})+",
        lambda hit: bytes.fromhex(hit[0].replace("~", "")).decode("utf-8", "replace"),
        segment,
    )
    return pieces if _code_segment(pieces) == segment else None
