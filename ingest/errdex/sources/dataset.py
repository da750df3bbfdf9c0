"""A published dataset, by the address of its manifest or by its folder → feeds.

Everything is fetched before the import begins, so that no database waits for a network.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from errdex.errors import DatasetBroken, SourceScheme, SourceUnreadable
from errdex.sources.feed import Feed, Progress
from errdex.sources.manifest import File, Manifest, RepoFacts, check, read_manifest, read_repos

MANIFEST = "manifest.json"

_MOST_MANIFEST = 16 << 20
_MOST_REPOS = 64 << 20
_MOST_RECORDS = 4 << 30


class Known(NamedTuple):
    """What the database says of a source that it holds unchanged."""

    digest: str
    etag: str | None


class Dataset(NamedTuple):
    """What is to be imported of a dataset."""

    feeds: list[Feed]
    repos: list[RepoFacts]


def manifest_address(address: str) -> str:
    """The address of the manifest, where that of a site or of its data was given."""
    parts = urlsplit(address)
    path = parts.path.rstrip("/")
    if path.endswith(".json"):
        return address
    folder = path if path.endswith("/data") else path + "/data"
    return parts._replace(path=f"{folder}/{MANIFEST}").geturl()


def is_address(name: str) -> bool:
    """True for what looks like the address of something on the web."""
    return "://" in name


def is_dataset_folder(path: Path) -> bool:
    """True for a folder that holds a manifest, and for the manifest itself."""
    try:
        manifest = path / MANIFEST if path.is_dir() else path
        return manifest.name == MANIFEST and manifest.is_file()
    except OSError:
        return False  # who opens it is told why that cannot be


def open_folder(path: Path, progress: Progress | None = None) -> Dataset:
    """The dataset in a folder. Raises DatasetBroken, DatasetMismatch or SourceUnreadable."""
    folder = path if path.is_dir() else path.parent

    def get(file: File) -> Path:
        found = folder / file.path
        try:
            check(found, file, str(found))
        except OSError as problem:
            raise SourceUnreadable(source=found, reason=problem.strerror) from None
        return found

    manifest = read_manifest(_bytes(folder / MANIFEST), str(folder / MANIFEST))
    repos_file = _repos_file(manifest)
    repos = read_repos(_bytes(get(repos_file)), str(folder / repos_file.path))
    feeds = []
    for facts in repos:
        found = get(manifest.file(facts.path))
        feeds.append(_feed(str(found), found, manifest, facts, progress))
    return Dataset(feeds, repos)


def fetch(
    address: str,
    folder: Path,
    known: Callable[[str], Known | None],
    progress: Progress | None = None,
) -> Dataset:
    """Fetch what is new of the dataset at `address`, that of its manifest or of its site, into
    `folder`.

    `known` tells what the database holds of a source by its address. Raises SourceScheme,
    SourceUnfetched, DatasetBroken or DatasetMismatch.
    """
    if not _is_web(address):
        raise SourceScheme(source=address)
    address = manifest_address(address)
    from errdex.sources.web import web  # here, since files need no network

    folder.mkdir(exist_ok=True)
    with web(folder) as site:
        first = site.fetch(address, "manifest", most=_MOST_MANIFEST)
        if first is None:
            raise DatasetBroken(source=address, reason="the server sends no manifest")
        data = first.path.read_bytes()
        manifest = read_manifest(data, address)
        digest = hashlib.sha256(data).hexdigest()
        before = known(address)
        if before is not None and before.digest == digest:
            return Dataset([], [])
        repos_file = _repos_file(manifest)
        place = urljoin(address, repos_file.path)
        listed = site.fetch(place, _name(place), most=_MOST_REPOS)
        if listed is None:
            raise DatasetBroken(source=place, reason="the server sends no list of repos")
        check(listed.path, repos_file, place)
        repos = read_repos(listed.path.read_bytes(), place)
        feeds = []
        for facts in repos:
            place = urljoin(address, facts.path)
            before = known(place)
            etag = before.etag if before is not None else None
            fetched = site.fetch(place, _name(place), most=_MOST_RECORDS, etag=etag)
            if fetched is not None:
                check(fetched.path, manifest.file(facts.path), place)
            feed = _feed(place, fetched.path if fetched else None, manifest, facts, progress)
            feed.etag = fetched.etag if fetched else etag
            feed.unchanged = fetched is None
            feeds.append(feed)
    feeds.append(Feed(address, path=first.path, note_only=True, known_digest=digest))
    return Dataset(feeds, repos)


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def _feed(
    name: str, path: Path | None, manifest: Manifest, facts: RepoFacts, progress: Progress | None
) -> Feed:
    return Feed(
        name,
        may_be_empty=True,
        dataset_version=manifest.dataset_version,
        repo=facts.repo,
        retired_at=facts.analyzed_at,
        path=path,
        progress=progress,
    )


def _repos_file(manifest: Manifest) -> File:
    return manifest.files.get("repos", File("repos.json"))


def _name(address: str) -> str:
    return hashlib.sha256(address.encode("utf-8", "replace")).hexdigest()[:32]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise SourceUnreadable(source=path, reason=problem.strerror) from None
