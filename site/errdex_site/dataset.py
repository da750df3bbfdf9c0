"""The records as a published dataset, in the layout that clients of such datasets read.

/data/manifest.json              what there is, with sizes and hashes
/data/index.json.gz              one short entry an error
/data/repos.json                 the repos
/data/repos/{owner}/{name}.json  the records of a repo
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

import msgspec

from errdex.database.browse import Browser, facts_of_repo, repo_facts
from errdex.database.queries import entries, entries_of_repo
from errdex.encode import record_fields
from errdex.records import SCHEMA_VERSION, Entry
from errdex_site import addresses

_BATCH = 500
_encode = msgspec.json.Encoder().encode


class _Size(NamedTuple):
    bytes: int
    sha256: str


class Dataset:
    """The dataset's files, each as chunks, so that no file is ever held whole."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._totals = Browser(connection).totals()

    def paths(self) -> Iterator[str]:
        """Every file, the repos' last."""
        yield from (addresses.MANIFEST, addresses.INDEX, addresses.REPOS_JSON)
        for offset in count(0, _BATCH):
            facts = repo_facts(self._connection, _BATCH, offset)
            yield from (addresses.repo_data_path(fact.repo) for fact in facts)
            if len(facts) < _BATCH:
                return

    def chunks(self, path: str) -> Iterator[bytes] | None:
        """The file at `path`; None when the dataset has none there."""
        if path == addresses.MANIFEST:
            return iter([self._manifest()])
        if path == addresses.INDEX:
            return _gzipped(self._index())
        if path == addresses.REPOS_JSON:
            return self._repos()
        repo = addresses.repo_of_data_path(path)
        facts = facts_of_repo(self._connection, repo) if repo else None
        return self._records(facts.repo) if facts and facts.repo == repo else None

    @property
    def version(self) -> str | None:
        """`datasetVersion`: the newest that any record came with, else its newest analysis."""
        return self._totals.dataset_version or self._totals.analyzed_at

    def _manifest(self) -> bytes:
        index, raw = _measure(_gzipped(self._index())), _measure(self._index())
        repos = _measure(self._repos())
        return _encode(
            {
                "schemaVersion": SCHEMA_VERSION,
                "datasetVersion": self.version,
                "counts": {"repos": self._totals.repos, "errors": self._totals.errors},
                "files": {
                    "index": {
                        "path": _relative(addresses.INDEX),
                        "bytes": index.bytes,
                        "sha256": index.sha256,
                        "encoding": "gzip",
                        "rawBytes": raw.bytes,
                        "rawSha256": raw.sha256,
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
        yield from _joined(_encode(_index_entry(entry)) for entry in entries(self._connection))
        yield b"]}"

    def _repos(self) -> Iterator[bytes]:
        yield b"["
        batches = (repo_facts(self._connection, _BATCH, offset) for offset in count(0, _BATCH))
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
            for fact in chain.from_iterable(iter(lambda: next(batches), []))
        )
        yield b"]"

    def _records(self, repo: str) -> Iterator[bytes]:
        yield b"["
        found = entries_of_repo(self._connection, repo)
        yield from _joined(_encode(record_fields(entry)) for entry in found)
        yield b"]"


def _index_entry(entry: Entry) -> dict[str, object]:
    record = entry.record
    return {
        "id": record.id,
        "repo": record.repo,
        "slug": record.slug,
        "code": record.error_code,
        "msg": record.error_message,
        "pattern": record.message_pattern,
        "type": record.error_type,
        "cls": record.error_class,
        "tags": record.tags,
        "sev": record.severity,
    }


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


def _measure(chunks: Iterator[bytes]) -> _Size:
    digest, size = hashlib.sha256(), 0
    for chunk in chunks:
        digest.update(chunk)
        size += len(chunk)
    return _Size(size, digest.hexdigest())
