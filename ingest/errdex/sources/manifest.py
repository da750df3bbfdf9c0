"""What a published dataset says of itself: its manifest and its list of repos."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from errdex.errors import DatasetBroken, DatasetMismatch
from errdex.records import Repo

_Count = Annotated[int, Meta(ge=0)]
_SAFE_PATH = re.compile(r"(?!\.{1,2}(?:/|\Z))[\w.-]+(?:/(?!\.{1,2}(?:/|\Z))[\w.-]+)*\Z", re.ASCII)


class File(msgspec.Struct, frozen=True):
    """A file of the dataset. What the manifest does not state is not checked."""

    path: str
    bytes: _Count | None = None
    sha256: str | None = None


class Manifest(msgspec.Struct, rename="camel", frozen=True):
    """`manifest.json`; fields that are not used here may be there too."""

    schema_version: int
    dataset_version: str
    files: dict[str, File]

    def file(self, path: str) -> File:
        """What is stated of the file at this path."""
        stated = (file for file in self.files.values() if file.path == path)
        return next(stated, File(path))


class RepoFacts(msgspec.Struct, rename="camel", frozen=True):
    """One repo of `repos.json`."""

    repo: Repo
    description: str | None = None
    language: str | None = None
    stars: _Count | None = None
    source_files: _Count | None = None
    default_branch: str | None = None
    analyzed_sha: str | None = None
    analyzed_at: str | None = None
    error_count: _Count | None = None

    @property
    def path(self) -> str:
        """Where the records of the repo are, from the manifest's folder."""
        return f"repos/{self.repo}.json"


_manifest = msgspec.json.Decoder(Manifest)
_repos = msgspec.json.Decoder(list[RepoFacts])
_FAULTS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def read_manifest(data: bytes, source: str) -> Manifest:
    """The manifest. Raises DatasetBroken, also where a path would leave the dataset."""
    try:
        manifest = _manifest.decode(data)
    except _FAULTS as problem:
        raise DatasetBroken(source=source, reason=problem) from None
    for file in manifest.files.values():
        if not _SAFE_PATH.match(file.path):
            raise DatasetBroken(source=source, reason=f"path {file.path!r} leaves its folder")
    return manifest


def read_repos(data: bytes, source: str) -> list[RepoFacts]:
    """The repos. Raises DatasetBroken."""
    try:
        return _repos.decode(data)
    except _FAULTS as problem:
        raise DatasetBroken(source=source, reason=problem) from None


def check(path: Path, stated: File, source: str) -> None:
    """Raises DatasetMismatch if the file at `path` is not what the manifest states."""
    size = path.stat().st_size
    if stated.bytes is not None and size != stated.bytes:
        raise DatasetMismatch(source=source, reason=f"{stated.bytes} bytes stated, {size} found")
    if stated.sha256 is not None:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != stated.sha256.lower():
            raise DatasetMismatch(
                source=source, reason=f"sha256 {stated.sha256[:64]} stated, {found} found"
            )
