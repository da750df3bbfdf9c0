"""The record: one error that open-source code raises (schemaVersion 2).

This module says what a well-formed record is, and nothing else: it reads no
files and knows no database. `errdex.decode` turns bytes into records with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

SCHEMA_VERSION = 2
MAX_SNIPPET_LINES = 40

ErrorType = Literal["exception", "error_code", "console", "http", "validation", "panic"]
Severity = Literal["critical", "error", "warning", "info"]
HandlingStrategy = Literal["try-catch", "type-guard", "validation", "retry", "fallback"]

# What a text must be, beyond being one. Lengths leave room for a folder and a file name on
# every file system (255 bytes).
Id = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}\Z")]
Repo = Annotated[
    str,
    Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,99}/(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,100}\Z"),
]
Slug = Annotated[str, Meta(pattern=r"^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\Z", max_length=200)]
Sha = Annotated[str, Meta(pattern=r"^[0-9a-f]{40}\Z")]
Tag = Annotated[str, Meta(pattern=r"^[a-z0-9]+(?:-[a-z0-9]+)*\Z", max_length=100)]
UtcTime = Annotated[
    str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)\Z")
]
WebAddress = Annotated[
    str, Meta(pattern=r"^https?://[^\s\"'<>\\^`{|}\x00-\x1f]+\Z", max_length=2000)
]
LineNumber = Annotated[int, Meta(ge=1, le=2**31 - 1)]
HttpStatus = Annotated[int, Meta(ge=100, le=599)]
Text = Annotated[str, Meta(min_length=1)]

RULES: dict[str, object] = {
    "id": Id,
    "repo": Repo,
    "slug": Slug,
    "githubUrl": WebAddress | None,
    "tags": list[Tag],
    "backgroundTag": Tag | None,
    "analyzedSha": Sha,
    "analyzedAt": UtcTime,
}
"""The rules that stand beside the fields of Record, since checking them with regular
expressions takes twice as long as decoding: `is_plainly_right` is tried first."""

EXPECTED = {
    "id": "16 lowercase hex digits",
    "repo": "owner/name, each of letters, digits, '-', '_' and '.'",
    "slug": "lowercase letters, digits and inner '-', at most 200",
    "githubUrl": "an http or https address of at most 2000 characters",
    "tags": "lowercase words joined by '-', at most 100 characters",
    "backgroundTag": "lowercase words joined by '-', at most 100 characters",
    "analyzedSha": "40 lowercase hex digits",
    "analyzedAt": "UTC time such as 2026-08-28T05:10:05Z",
}
"""What a text must be, in words, where its type says no more than a pattern."""


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """One error. Field names are the record's own in snake case.

    Every text is untrusted: it may hold HTML, control bytes or a hostile
    regular expression. `None` means that the producer did not know. RULES says more of
    the fields that are checked beyond their type.
    """

    id: str
    repo: str
    slug: str
    error_code: str | None = None
    error_class: str | None = None
    error_message: Text
    message_pattern: Text
    error_type: ErrorType
    http_status: HttpStatus | None = None
    severity: Severity
    file_path: Text
    line_number: LineNumber | None = None
    source_code: str | None = None
    source_code_start: LineNumber | None = None
    source_code_end: LineNumber | None = None
    github_url: str | None = None
    documentation: str
    trigger_scenarios: str
    common_situations: str
    solutions: list[str]
    example_fix: str | None = None
    handling_strategy: HandlingStrategy | None = None
    validation_code: str | None = None
    type_guard: str | None = None
    try_catch_pattern: str | None = None
    prevention_tips: list[str]
    tags: list[str]
    background_tag: str | None = None
    analyzed_sha: str
    analyzed_at: str
    schema_version: Literal[2]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A record as the database keeps it, with what is known about it from outside."""

    record: Record
    dataset_version: str | None = None
    """`datasetVersion` of the envelope that it came in; None for a bare record."""
    extra: dict[str, object] = {}
    """Fields that schemaVersion 2 does not name, kept as they came."""
    retired_at: str | None = None
    """UTC time since which its repo no longer raises it; None while it does."""

    @property
    def path(self) -> str:
        """`owner/repo/slug`, the name that people type."""
        return f"{self.record.repo}/{self.record.slug}"


_HEX = "0123456789abcdef"
_WORD = "abcdefghijklmnopqrstuvwxyz0123456789-"
_NO_ADDRESS = re.compile(r"[^!#-&(-;=?-\[\]_a-z~]")
_REMEMBERED = 20_000


class PlainCheck:
    """A quick test of RULES and of `contradictions`; remembers values that are right, since
    most of them come often."""

    def __init__(self) -> None:
        self._origins: set[tuple[str, str, str]] = set()
        self._words: set[str] = set()

    def __call__(self, record: Record) -> bool:
        """True only if all rules hold. False says nothing: the rules themselves must be asked.

        `text.strip(signs)` is empty just where all of the text is made of these signs.
        """
        slug, url, family = record.slug, record.github_url, record.background_tag
        return (
            len(record.id) == 16
            and not record.id.strip(_HEX)
            and 0 < len(slug) <= 200
            and not slug.strip(_WORD)
            and slug[0] != "-" != slug[-1]
            and (self._words.issuperset(record.tags) or self._are_words(record.tags))
            and (family is None or family in self._words or self._are_words([family]))
            and (
                (record.repo, record.analyzed_sha, record.analyzed_at) in self._origins
                or self._is_origin(record.repo, record.analyzed_sha, record.analyzed_at)
            )
            and (
                url is None
                or (
                    url.startswith(("https://", "http://"))
                    and 8 < len(url) <= 2000
                    and _NO_ADDRESS.search(url) is None
                )
            )
            and _is_plainly_consistent(record)
        )

    def _are_words(self, words: list[str]) -> bool:
        if not all(map(_is_word, words)):
            return False
        if len(self._words) > _REMEMBERED:
            self._words.clear()
        self._words.update(words)
        return True

    def _is_origin(self, repo: str, sha: str, time: str) -> bool:
        if not (_is_repo(repo) and _is_sha(sha) and _is_time(time) and _is_date(time[:10])):
            return False
        if len(self._origins) > _REMEMBERED:
            self._origins.clear()
        self._origins.add((repo, sha, time))
        return True


def _is_plainly_consistent(record: Record) -> bool:
    """True only if there are no contradictions, but for the date."""
    path, code = record.file_path, record.source_code
    start, line, end = record.source_code_start, record.line_number, record.source_code_end
    return (
        path[0] not in "/\\"
        and ".." not in path
        and (start is None or ((line is None or start <= line) and (end is None or start <= end)))
        and (code is None or code.count("\n") < MAX_SNIPPET_LINES)
    )


def _rule(kind: object) -> Callable[[str], bool]:
    """A test whether a text obeys one of RULES."""
    decoder = msgspec.json.Decoder(kind)

    def obeys(text: str) -> bool:
        try:
            decoder.decode(msgspec.json.encode(text))
        except msgspec.ValidationError:
            return False
        return True

    return obeys


_is_word, _is_repo, _is_sha, _is_time = map(_rule, (Tag, Repo, Sha, UtcTime))
is_plainly_right = PlainCheck()


def contradictions(record: Record) -> list[tuple[str, str]]:
    """Rules that span fields, as (path in the record, what is wrong); empty when all hold."""
    found = []
    path = record.file_path
    if path[0] in "/\\" or (".." in path and ".." in re.split(r"[/\\]", path)):
        found.append(("$.filePath", "expected a path inside the repo"))
    if not _is_date(record.analyzed_at[:10]):
        found.append(("$.analyzedAt", f"expected a date that exists, got {record.analyzed_at}"))
    start, line, end = record.source_code_start, record.line_number, record.source_code_end
    if start is not None and line is not None and start > line:
        found.append(("$.sourceCodeStart", f"expected at most lineNumber {line}, got {start}"))
    if start is not None and end is not None and start > end:
        found.append(("$.sourceCodeStart", f"expected at most sourceCodeEnd {end}, got {start}"))
    if record.source_code is not None:
        lines = record.source_code.count("\n") + (not record.source_code.endswith("\n"))
        if lines > MAX_SNIPPET_LINES:
            found.append(
                ("$.sourceCode", f"expected at most {MAX_SNIPPET_LINES} lines, got {lines}")
            )
    return found


@lru_cache(maxsize=1000)
def _is_date(day: str) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True
