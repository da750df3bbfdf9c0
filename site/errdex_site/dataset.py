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
from itertools import chain

import msgspec

from errdex.database import browse
from errdex.database.browse import Browser, all_repo_facts, facts_of_repo, index_rows
from errdex.database.queries import entries_of_repo, entry_by_id
from errdex.encode import encode_record
from errdex.records import SCHEMA_VERSION
from errdex_site import addresses
from errdex_site.earlier import Earlier, listed, together

_INDEXED = ("id", "repo", "slug", "code", "msg", "pattern", "type", "cls", "tags", "sev")
"""What the index calls the values of `browse.index_rows`."""
_BEFORE_ID = '{"id":"'
"""How the line of a record begins."""
_encode = msgspec.json.Encoder().encode


class _Size(msgspec.Struct, frozen=True):
    bytes: int
    sha256: str


class _Files(msgspec.Struct):
    index: _Size


class _Manifest(msgspec.Struct):
    files: _Files


class Dataset:
    """The dataset's files, each as chunks, so that no file is ever held whole."""

    def __init__(self, connection: sqlite3.Connection, browser: Browser) -> None:
        self._connection = connection
        self._browser = browser
        self._sizes: dict[str, _Size] = {}

    def chunks(self, path: str, earlier: Earlier | None = None) -> Iterator[bytes] | None:
        """The file at `path`; None when the dataset has none there. What has not changed since
        an earlier build is taken from its files."""
        if path == addresses.MANIFEST:
            return iter([self._manifest()])
        if path == addresses.INDEX:
            return self._measured(path, self._index(earlier))
        if path == addresses.INDEX_GZ:
            return self._measured(path, self._packed_index(earlier))
        if path == addresses.REPOS_JSON:
            return self._measured(path, self._repos())
        repo = addresses.repo_of_data_path(path)
        facts = facts_of_repo(self._connection, repo) if repo else None
        return self._records(path, facts.repo, earlier) if facts and facts.repo == repo else None

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

    def _index(self, earlier: Earlier | None) -> Iterator[bytes]:
        connection = self._connection
        head = {"schemaVersion": SCHEMA_VERSION, "datasetVersion": self.version}
        entries = together(map(_entry, index_rows(connection)))
        if earlier is not None:
            ids = browse.ids(connection)
            entries = earlier.items(
                addresses.INDEX,
                ids,
                _BEFORE_ID,
                lambda one: _entry(browse.index_row(connection, one)),
            )
        return listed(_encode(head)[:-1] + b',"errors":[', entries, b"]}")

    def _packed_index(self, earlier: Earlier | None) -> Iterator[bytes]:
        if earlier is not None and self._size(addresses.INDEX) == _index_size(earlier):
            packed = earlier.chunks(addresses.INDEX_GZ)
            if first := next(packed, None):
                return chain([first], packed)
        return _gzipped(self._measured(addresses.INDEX, self._index(earlier)))

    def _repos(self) -> Iterator[bytes]:
        repos = (
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
        return listed(b"[", together(repos), b"]")

    def _records(self, path: str, repo: str, earlier: Earlier | None) -> Iterator[bytes]:
        connection = self._connection
        records = together(map(encode_record, entries_of_repo(connection, repo)))
        if earlier is not None:
            ids = browse.ids_of_repo(connection, repo)
            records = earlier.items(path, ids, _BEFORE_ID, lambda one: _record(connection, one))
        return listed(b"[", records, b"]")


def _relative(path: str) -> str:
    """The path as a manifest names it, from the manifest's own folder."""
    return path.removeprefix("/data/")


def _entry(row: list[object]) -> bytes:
    return _encode(dict(zip(_INDEXED, row, strict=True)))


def _record(connection: sqlite3.Connection, record_id: str) -> bytes:
    entry = entry_by_id(connection, record_id)
    assert entry is not None  # noqa: S101 # the id is from the same state of the database
    return encode_record(entry)


def _index_size(earlier: Earlier) -> _Size | None:
    """Of the index of an earlier build, by its manifest; None where it does not say."""
    try:
        told = msgspec.json.decode(b"".join(earlier.chunks(addresses.MANIFEST)), type=_Manifest)
    except msgspec.MsgspecError:
        return None
    return told.files.index


def _gzipped(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """A gzip stream without name or time in it: the same bytes give the same bytes."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    for chunk in chunks:
        packed = packer.compress(chunk)
        if packed:
            yield packed
    yield packer.flush()
