"""The records as a published dataset, in the layout that clients of such datasets read.

/data/manifest.json              what there is, with sizes and hashes
/data/index.json                 one short entry an error
/data/index.json.gz              the same, packed
/data/repos.json                 the repos
/data/repos/{owner}/{name}.json  the records of a repo
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from errdex.database.browse import Browser, all_repo_facts, facts_of_repo, index_rows
from errdex.database.queries import entries_of_repo
from errdex.encode import encode_record
from errdex.records import SCHEMA_VERSION
from errdex_site import addresses

_BATCH = 500
_INDEXED = ("id", "repo", "slug", "code", "msg", "pattern", "type", "cls", "tags", "sev")
"""What the index calls the values of `browse.index_rows`."""
_encode = msgspec.json.Encoder().encode


class _Size(NamedTuple):
    bytes: int
    sha256: str


class Dataset:
    """The dataset's files, each as chunks, so that no file is ever held whole."""

    def __init__(self, connection: sqlite3.Connection, browser: Browser) -> None:
        self._connection = connection
        self._browser = browser
        self._sizes: dict[str, _Size] = {}

    def chunks(self, path: str) -> Iterator[bytes] | None:
        """The file at `path`; None when the dataset has none there."""
        if path == addresses.MANIFEST:
            return iter([self._manifest()])
        if path == addresses.INDEX:
            return self._measured(path, self._index())
        if path == addresses.INDEX_GZ:
            raw = self._measured(addresses.INDEX, self._index())
            return self._measured(path, _gzipped(raw))
        if path == addresses.REPOS_JSON:
            return self._measured(path, self._repos())
        repo = addresses.repo_of_data_path(path)
        facts = facts_of_repo(self._connection, repo) if repo else None
        return self._records(facts.repo) if facts and facts.repo == repo else None

    @property
    def version(self) -> str | None:
        """`datasetVersion`: the newest that any record came with, else its newest analysis."""
        totals = self._browser.totals()
        return totals.dataset_version or totals.analyzed_at

    def _measured(self, path: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The chunks; when they have passed, their size is known."""
        digest, size = hashlib.sha256(), 0
        for chunk in chunks:
            digest.update(chunk)
            size += len(chunk)
            yield chunk
        self._sizes[path] = _Size(size, digest.hexdigest())

    def _size(self, path: str) -> _Size:
        """Of a file that `chunks` has made, or makes now."""
        if path not in self._sizes:
            for _ in self.chunks(path) or ():
                pass
        return self._sizes[path]

    def _manifest(self) -> bytes:
        totals = self._browser.totals()
        packed = self._size(addresses.INDEX_GZ)  # which measures the other one, too
        index = self._size(addresses.INDEX)
        repos = self._size(addresses.REPOS_JSON)
        return _encode(
            {
                "schemaVersion": SCHEMA_VERSION,
                "datasetVersion": self.version,
                "counts": {"repos": totals.repos, "errors": totals.errors},
                "files": {
                    "index": {
                        "path": _relative(addresses.INDEX),
                        "bytes": index.bytes,
                        "sha256": index.sha256,
                    },
                    "indexGz": {
                        "path": _relative(addresses.INDEX_GZ),
                        "bytes": packed.bytes,
                        "sha256": packed.sha256,
                        "encoding": "gzip",
                        "rawBytes": index.bytes,
                        "rawSha256": index.sha256,
                    },
                    "repos": {
                        "path": _relative(addresses.REPOS_JSON),
                        "bytes": repos.bytes,
                        "sha256": repos.sha256,
                    },
                },
            }
        )

    def _index(self) -> Iterator[bytes]:
        head = {"schemaVersion": SCHEMA_VERSION, "datasetVersion": self.version}
        yield _encode(head)[:-1] + b',"errors":['
        rows = index_rows(self._connection)
        yield from _joined(_encode(dict(zip(_INDEXED, row, strict=True))) for row in rows)
        yield b"]}"

    def _repos(self) -> Iterator[bytes]:
        yield b"["
        yield from _joined(
            _encode(
                {
                    "repo": fact.repo,
                    "description": fact.description,
                    "language": fact.language,
                    "stars": fact.stars,
                    "sourceFiles": fact.source_files,
                    "defaultBranch": fact.default_branch,
                    "analyzedSha": fact.analyzed_sha,
                    "analyzedAt": fact.analyzed_at,
                    "errorCount": fact.errors,
                }
            )
            for fact in all_repo_facts(self._connection)
        )
        yield b"]"

    def _records(self, repo: str) -> Iterator[bytes]:
        yield b"["
        found = entries_of_repo(self._connection, repo)
        yield from _joined(map(encode_record, found))
        yield b"]"


def _relative(path: str) -> str:
    """The path as a manifest names it, from the manifest's own folder."""
    return path.removeprefix("/data/")


def _joined(items: Iterator[bytes]) -> Iterator[bytes]:
    """The items with commas between, a few hundred a chunk."""
    batch: list[bytes] = []
    comma = b""
    for item in items:
        batch.append(item)
        if len(batch) == _BATCH:
            yield comma + b",".join(batch)
            comma = b","
            batch.clear()
    if batch:
        yield comma + b",".join(batch)


def _gzipped(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """A gzip stream without name or time in it: the same bytes give the same bytes."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    for chunk in chunks:
        packed = packer.compress(chunk)
        if packed:
            yield packed
    yield packer.flush()
