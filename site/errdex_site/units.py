"""What a build writes, in units, each with a signature that changes when it must be rewritten.

A signature covers everything of the records that a page shows: its own record, the headings
of its neighbours, the headings of a list. Numbers and headings stand in arrays of 8 bytes an
error; nothing else grows with the number of records.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import cache, lru_cache, partial
from hashlib import blake2b
from itertools import chain, count, groupby, islice
from operator import itemgetter
from typing import NamedTuple

from errdex.database import browse, filed, fingerprints
from errdex.database.browse import By
from errdex.database.filed import FACTOR, MASK
from errdex.database.queries import Heading
from errdex_site import addresses
from errdex_site.feeds import SITEMAP_SIZE
from errdex_site.ledger import Ledger
from errdex_site.lists import ERRORS_A_PAGE, PATHS
from errdex_site.pages import Site
from errdex_site.wrapping import caught

_DATASET = (addresses.INDEX, addresses.INDEX_GZ, addresses.REPOS_JSON, addresses.MANIFEST)
"""One unit, as the manifest tells the sizes of the others."""

_IDS = "/e/ids/"
_OF_CODE = 1
"""Signature of what no record changes."""

_MOST_CHANGED = 20_000
"""Records that are noted one by one; with more, everything that holds any is made anew."""

_NEARBY, _FAMILY = 2, 4
"""How many neighbours a page names: `browse.same_file` on each side, `browse.same_family`."""


class Unit(NamedTuple):
    """Paths that are rendered together, the first of which names the unit."""

    paths: tuple[str, ...]
    signature: int
    """0 when only the rendered bytes can tell whether it has changed."""
    place: int
    """In the last build's ledger; -1 when it is not there."""
    record: int = 0
    """Hash of the record that an error's page shows; 0 for any other unit."""
    caught: tuple[str, ...] = ()
    """The classes that are caught where that error is raised."""
    changed: frozenset[str] | None = None
    """Of files of records, the ids of those that differ from the last build's; None for all."""


def units(connection: sqlite3.Connection, site: Site, known: Ledger | None) -> Generator[Unit]:
    """Every unit of the site, the largest first; each of `Site.paths` is in exactly one."""
    place: Callable[[str], int] = known.place if known else lambda path: -1
    signatures = _Signatures(connection, known)
    site.shards.know(signatures.marks)
    yield Unit(_DATASET, 0, place(_DATASET[0]), changed=signatures.changed())
    yield from signatures.lists("repo", data=True)
    signatures.add_neighbors()  # while those large files are being written
    sitemaps = list(signatures.sitemaps()) if site.base_url else []
    yield from sitemaps
    apart = {*_DATASET, *(unit.paths[0] for unit in sitemaps)}
    for path in site.general_paths():
        if path not in apart and not path.startswith(_IDS):
            yield Unit((path,), _OF_CODE if _is_of_code(path) else 0, place(path))
    for path, signature in site.shards.signatures():
        yield Unit((path,), signature, place(path))
    for by in PATHS:
        yield from signatures.lists(by)
    yield from signatures.records()
    for repo, slug in browse.aliases(connection):
        path = addresses.error_path(repo, slug)
        yield Unit((path,), 0, place(path))
    yield from signatures.errors()


def _is_of_code(path: str) -> bool:
    """Whether a file shows nothing of any record: then our code, the templates and the options
    decide, and with others of these everything is written anew."""
    return path.startswith("/static/") or path in (addresses.MATCH, addresses.NOT_FOUND)


def _hash(*parts: object, of: bytes = b"") -> int:
    digest = blake2b(of, digest_size=8)
    digest.update(repr(parts).encode())
    return int.from_bytes(digest.digest()) or 1


class _Signatures:
    """Hashes of 8 bytes, by the errors' numbers. What is made of several of them is a polynomial
    of them, as there are many."""

    def __init__(self, connection: sqlite3.Connection, known: Ledger | None) -> None:
        self._connection = connection
        self._known = known
        self._place: Callable[[str], int] = known.place if known else lambda path: -1
        last = fingerprints.last_number(connection)
        self._places = array("q", bytes(8 * (last + 1)))
        self._headings = array("Q", bytes(8 * (last + 1)))
        self._records = self._headings[:]
        self._days = array("L", bytes(array("L").itemsize * (last + 1)))
        """Of the last analysis, as a number such as 20260828."""
        self._caught: dict[int, tuple[str, ...]] = {}
        self._facts = cache(partial(browse.facts_of_repo, connection))
        self.marks = filed.marks_of_patterns(connection)
        """As `filed.marks`, when all are made."""
        self._changed: dict[str, set[str]] | None = {} if known else None
        """The ids of changed records, by their repos; None when they are too many."""
        for repo, slug, number in fingerprints.places(connection):
            self._places[number] = self._place(addresses.error_path(repo, slug))
        self._classes, self._changed_numbers = self._add_records()
        self._pages = self._records[:]

    def add_neighbors(self) -> None:
        """Add to the signatures of pages what they show of other errors."""
        self._add_files()
        self._add_families()
        self._add_caught(self._classes, self._changed_numbers)

    def changed(self) -> frozenset[str] | None:
        """The ids of all records that changed; None when they are too many to tell."""
        if self._changed is None:
            return None
        return frozenset(chain.from_iterable(self._changed.values()))

    def errors(self) -> Iterator[Unit]:
        """The page of every error."""
        pages, places, records, caught = self._pages, self._places, self._records, self._caught
        for repo, slug, number in fingerprints.places(self._connection):
            path = addresses.error_path(repo, slug)
            classes = caught.get(number, ())
            yield Unit((path,), pages[number], places[number], records[number], classes)

    def sitemaps(self) -> Iterator[Unit]:
        """The files that name every error's address and its day, which come after that of lists."""
        numbers = map(itemgetter(2), fingerprints.places(self._connection))
        for file in count(2):
            some = array("Q", islice(numbers, SITEMAP_SIZE))
            if not some:
                break
            days = array("L", map(self._days.__getitem__, some)).tobytes()
            path = addresses.sitemap_path(file)
            yield Unit((path,), _hash(of=self._headings_of(some) + days), self._place(path))

    def records(self) -> Iterator[Unit]:
        """The files of records, and of their addresses, by the beginning of their ids."""
        changed = _by_file(self.changed())
        by_prefix = dict.fromkeys(map("{:02x}".format, range(256)), b"")
        rows = fingerprints.by_id(self._connection)
        for digits, group in groupby(rows, lambda row: row[0][: addresses.RECORD_DIGITS]):
            numbers = array("Q", map(itemgetter(1), group))
            by_prefix[digits[:2]] += self._headings_of(numbers)
            path = addresses.records_path(digits)
            some = None if changed is None else changed.get(path, frozenset())
            signature = _hash(of=self._records_of(numbers))
            yield Unit((path,), signature, self._place(path), changed=some)
        for prefix, heads in by_prefix.items():
            path = addresses.ids_path(prefix)
            yield Unit((path,), _hash(of=heads), self._place(path))

    def lists(self, by: By, *, data: bool = False) -> Iterator[Unit]:
        """The pages of every list of errors; or the data of every repo."""
        for name, group in groupby(fingerprints.in_lists(self._connection, by), itemgetter(0)):
            numbers = array("Q", map(itemgetter(1), group))
            about = self._facts(name) if by == "repo" else name
            if data:
                path = addresses.repo_data_path(name)
                signature = _hash(about, of=self._records_of(numbers))
                some = None if self._changed is None else self._changed.get(name, ())
                changed = None if some is None else frozenset(some)
                yield Unit((path,), signature, self._place(path), changed=changed)
                continue
            heads, size = self._headings_of(numbers), ERRORS_A_PAGE * 8
            for page, at in enumerate(range(0, len(heads), size), 1):
                listed = PATHS[by](name, page)
                if listed is not None:
                    signature = _hash(about, len(numbers), of=heads[at : at + size])
                    yield Unit((listed,), signature, self._place(listed))

    def _records_of(self, numbers: Iterable[int]) -> bytes:
        return array("Q", map(self._records.__getitem__, numbers)).tobytes()

    def _headings_of(self, numbers: Iterable[int]) -> bytes:
        return array("Q", map(self._headings.__getitem__, numbers)).tobytes()

    def _add_records(self) -> tuple[dict[str, int], list[int] | None]:
        """Hashes of the classes; the numbers of the changed records, None for all."""
        tail, version_hash = lru_cache(10_000)(browse.tail), lru_cache(1000)(_hash)
        known, changed = self._known, list[int]()
        classes: dict[str, int] = {}
        at_class = Heading._fields.index("error_class")
        rows = fingerprints.rows(self._connection)
        for row, shown in filed.marking(rows, self.marks):
            number = row.number
            self._headings[number] = shown
            name = tail(row.heading[at_class])
            classes[name] = (classes.get(name, 0) * FACTOR + shown) & MASK
            whole = int.from_bytes(row.digest[:8]) * FACTOR + version_hash(row.dataset_version)
            record = (whole * FACTOR + shown) & MASK or 1
            self._records[number] = record
            self._days[number] = int(row.analyzed_at[:10].replace("-", ""))
            place = self._places[number]
            if known and place >= 0 and known.record(place) == record:
                if names := known.caught(place):
                    self._caught[number] = names
            elif self._changed is not None:
                changed.append(number)
                self._changed.setdefault(str(row.heading[1]), set()).add(str(row.heading[0]))
                if len(changed) > _MOST_CHANGED:
                    self._changed = None
        return classes, changed if self._changed is not None else None

    def _add_files(self) -> None:
        """Each page names the errors raised above and below it."""
        rows = fingerprints.in_files(self._connection)
        for _, group in groupby(rows, itemgetter(0, 1)):
            numbers = list(map(itemgetter(2), group))
            if len(numbers) == 1:
                continue
            heads = list(map(self._headings.__getitem__, numbers))
            for at, number in enumerate(numbers):
                self._add(number, heads[max(0, at - _NEARBY) : at + _NEARBY + 1])

    def _add_families(self) -> None:
        """Each page names the next few errors of its family, round the end."""
        rows = fingerprints.in_lists(self._connection, "family")
        for _, group in groupby(rows, itemgetter(0)):
            numbers = array("Q", map(itemgetter(1), group))
            heads = array("Q", map(self._headings.__getitem__, numbers))
            heads.extend(heads[: _FAMILY + 1])
            for at, number in enumerate(numbers, 1):
                self._add(number, heads[at : at + _FAMILY])

    def _add_caught(self, classes: dict[str, int], changed: list[int] | None) -> None:
        """Each page names errors of the classes that are caught where it is raised."""
        rows = fingerprints.handling(self._connection, changed)
        for number in changed or ():
            self._caught.pop(number, None)
        for number, code, start, line in rows:
            names = caught(code, start, line)
            if names:
                self._caught[number] = names
        for number, names in self._caught.items():
            self._add(number, [classes.get(name, 0) for name in names])

    def _add(self, number: int, heads: Iterable[int]) -> None:
        page = self._pages[number]
        for head in heads:
            page = page * FACTOR + head & MASK
        self._pages[number] = page or 1


def _by_file(ids: frozenset[str] | None) -> dict[str, frozenset[str]] | None:
    """The ids by the file that holds their records."""
    if ids is None:
        return None
    found: dict[str, set[str]] = {}
    for one in ids:
        found.setdefault(addresses.records_path(one), set()).add(one)
    return {path: frozenset(some) for path, some in found.items()}
