"""Lines → well-formed records; the rest is set aside with its reasons."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from errdex.database.schema import RECORD_COLUMNS
from errdex.database.writing import as_json
from errdex.database.written import Row
from errdex.decode import Decoded, Faulty, Fingerprint, decode, fingerprint
from errdex.errors import StoppedAtReject
from errdex.load.rejects import Rejects
from errdex.load.summary import Summary, sentence
from errdex.records import Record
from errdex.sources import Line

_astuple = msgspec.structs.astuple
_FIELDS = [field.name for field in msgspec.structs.fields(Record)]
_TAGS = _FIELDS.index("tags")
_SOLUTIONS, _TIPS = (RECORD_COLUMNS.index(name) for name in ("solutions", "prevention_tips"))
_REPO = RECORD_COLUMNS.index("repo")


class Read(NamedTuple):
    """A well-formed record on its way into the database."""

    line: Line
    fingerprint: Fingerprint
    decoded: Decoded

    @property
    def record(self) -> Record:
        return self.decoded.record

    @property
    def version(self) -> str | None:
        """The dataset that it came in."""
        return self.decoded.dataset_version


class Reader:
    """Decodes lines; counts and keeps what is not well-formed."""

    def __init__(self, rejects: Rejects, summary: Summary, *, strict: bool) -> None:
        self._rejects = rejects
        self._summary = summary
        self._strict = strict

    def read(
        self, lines: list[tuple[Line, Fingerprint]], dataset_version: str | None
    ) -> list[Read]:
        """The records among these lines.

        `dataset_version` is that of records that say none. Raises StoppedAtReject.
        """
        reads = []
        for line, mark in lines:
            _, _, data, _, fault = line
            try:
                if fault is not None:
                    raise Faulty([fault])
                decoded = decode(data)
            except Faulty as faulty:
                self._reject(line, faulty.faults)
                continue
            record, version, extra = decoded
            if extra:
                self._summary.know(extra)
            if version is None and dataset_version is not None:
                decoded = Decoded(record, dataset_version, extra)
            reads.append(Read(line, mark, decoded))
        return reads

    def _reject(self, line: Line, faults: list[str]) -> None:
        self._summary.reject(line, faults)
        self._rejects.add(line, faults)
        if self._strict:
            raise StoppedAtReject(first=sentence(line, faults))


def marked(lines: list[Line]) -> list[tuple[Line, Fingerprint]]:
    """The lines, each with its fingerprint."""
    return [(line, fingerprint(line.data)) for line in lines]


def row_of(decoded: Decoded, number: int, pattern: int, repo: str) -> Row:
    """The row of `errors`; `repo` is the spelling that stands in the database."""
    record, version, unknown = decoded
    values = list(_astuple(record))
    del values[_TAGS]
    values[_SOLUTIONS] = as_json(record.solutions)
    values[_TIPS] = as_json(record.prevention_tips)
    values[_REPO] = repo
    extra = as_json(unknown) if unknown else None
    return (number, pattern, version, extra, *values)
