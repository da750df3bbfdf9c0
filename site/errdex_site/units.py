"""What a build writes, in units, each with a signature that changes when it must be rewritten.

A signature covers everything of the records that a page shows: its own record, the headings
of its neighbours, the headings of a list. Numbers and headings stand in arrays of 8 bytes an
error; nothing else grows with the number of records.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Generator, Iterable, Iterator
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from errdex.database import browse, fingerprints
from errdex.database.browse import By
from errdex.database.queries import Heading
from errdex_site import addresses
from errdex_site.lists import ERRORS_A_PAGE, PATHS
from errdex_site.pages import Site
from errdex_site.wrapping import caught

_DATASET = (addresses.INDEX, addresses.INDEX_GZ, addresses.REPOS_JSON, addresses.MANIFEST)
"""One unit, as the manifest tells the sizes of the others."""

_IDS = "/e/ids/"
_OF_CODE = 1
"""Signature of what no record changes."""

_NEARBY, _FAMILY = 2, 4
"""How many neighbours a page names: `browse.same_file` on each side, `browse.same_family`."""


class Unit(NamedTuple):
    """Paths that are rendered together, the first of which names the unit."""

    paths: tuple[str, ...]
    signature: int
    """0 when only the rendered bytes can tell whether it has changed."""


def units(connection: sqlite3.Connection, site: Site) -> Generator[Unit]:
    """Every unit of the site, the largest first; each of `Site.paths` is in exactly one."""
    signatures = _Signatures(connection)
    yield Unit(_DATASET, 0)
    for path in site.general_paths():
        if path not in _DATASET and not path.startswith(_IDS):
            yield Unit((path,), _OF_CODE if _is_of_code(path) else 0)
    for path, signature in site.shards.signatures():
        yield Unit((path,), signature)
    for by in PATHS:
        yield from signatures.lists(by)
    yield from signatures.records()
    for repo, slug in browse.aliases(connection):
        yield Unit((addresses.error_path(repo, slug),), 0)
    yield from signatures.errors()


def _is_of_code(path: str) -> bool:
    """Whether a file shows nothing of any record: then our code, the templates and the options
    decide, and with others of these everything is written anew."""
    return path.startswith("/static/") or path in (addresses.MATCH, addresses.NOT_FOUND)


def _hash(*parts: object) -> int:
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest()) or 1


class _Signatures:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._headings, self._records = array("Q"), array("Q")
        classes: dict[str, int] = {}
        for row in fingerprints.rows(connection):
            missing = row.number + 1 - len(self._headings)
            self._headings.extend([0] * missing)
            self._records.extend([0] * missing)
            self._headings[row.number] = _hash(row.heading)
            name = browse.tail(Heading._make(row.heading).error_class)
            classes[name] = _hash(classes.get(name), row.heading)
            self._records[row.number] = _hash(row.digest, row.dataset_version, row.heading)
        self._pages = self._records[:]
        self._add_files()
        self._add_families()
        self._add_wrapped(classes)

    def errors(self) -> Iterator[Unit]:
        """The page of every error."""
        for repo, slug, number in fingerprints.places(self._connection):
            path = addresses.error_path(repo, slug)
            yield Unit((path,), self._pages[number])

    def records(self) -> Iterator[Unit]:
        """The files of records, and of their addresses, by the beginning of their ids."""
        rows = fingerprints.by_id(self._connection)
        found = {
            prefix: self._headings_of(number for _, number in group)
            for prefix, group in groupby(rows, lambda row: row[0][:2])
        }
        for prefix in map("{:02x}".format, range(256)):
            yield Unit((addresses.ids_path(prefix),), _hash(found.get(prefix, b"")))
        rows = fingerprints.by_id(self._connection)
        for path, group in groupby(rows, lambda row: addresses.records_path(row[0])):
            yield Unit((path,), _hash(self._whole(number for _, number in group)))

    def lists(self, by: By) -> Iterator[Unit]:
        """The pages of every list of errors, and the data of every repo."""
        for name, group in groupby(fingerprints.in_lists(self._connection, by), itemgetter(0)):
            numbers = array("Q", map(itemgetter(1), group))
            about = browse.facts_of_repo(self._connection, name) if by == "repo" else name
            for page, at in enumerate(range(0, len(numbers), ERRORS_A_PAGE), 1):
                shown = numbers[at : at + ERRORS_A_PAGE]
                path = PATHS[by](name, page)
                if path is not None:
                    heads = self._headings_of(shown)
                    yield Unit((path,), _hash(about, len(numbers), heads))
            if by == "repo":
                path = addresses.repo_data_path(name)
                yield Unit((path,), _hash(about, self._whole(numbers)))

    def _whole(self, numbers: Iterable[int]) -> bytes:
        return array("Q", (self._records[number] for number in numbers)).tobytes()

    def _headings_of(self, numbers: Iterable[int]) -> bytes:
        return array("Q", (self._headings[number] for number in numbers)).tobytes()

    def _add_files(self) -> None:
        """Each page names the errors raised above and below it."""
        rows = fingerprints.in_files(self._connection)
        for _, group in groupby(rows, itemgetter(0, 1)):
            numbers = [number for _, _, number in group]
            for at, number in enumerate(numbers):
                around = numbers[max(0, at - _NEARBY) : at + _NEARBY + 1]
                if len(around) > 1:
                    self._add(number, self._headings_of(around))

    def _add_families(self) -> None:
        """Each page names the next few errors of its family, round the end."""
        rows = fingerprints.in_lists(self._connection, "family")
        for _, group in groupby(rows, itemgetter(0)):
            numbers = array("Q", map(itemgetter(1), group))
            ring = numbers + numbers[: _FAMILY + 1]
            for at, number in enumerate(numbers):
                self._add(number, self._headings_of(ring[at + 1 : at + 1 + _FAMILY]))

    def _add_wrapped(self, classes: dict[str, int]) -> None:
        """Each page names errors of the classes that are caught where it is raised."""
        for number, code, start, line in fingerprints.handling(self._connection):
            names = caught(code, start, line)
            if names:
                heads = array("Q", (classes.get(name, 0) for name in names))
                self._add(number, heads.tobytes())

    def _add(self, number: int, heads: bytes) -> None:
        self._pages[number] = _hash(self._pages[number], heads)
