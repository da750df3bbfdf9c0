"""Every error that errdex shows to a user: one class, one stable code, one template.

The code never changes its meaning and is never reused. A message is one sentence
that says what is wrong, where, and what to do; `errdex explain CODE` says more.

    ED1xx  sources and records      ED2xx  the database       ED3xx  matching
    ED4xx  pages and the build      ED5xx  serving            ED6xx  the command line
"""

from __future__ import annotations

from typing import ClassVar


class ErrdexError(Exception):
    """Base of all of them; `values` holds what fills the template's placeholders."""

    code: ClassVar[str]
    template: ClassVar[str]
    exit_code: ClassVar[int] = 1

    def __init__(self, **values: object) -> None:
        self.values = values
        super().__init__(self.template.format(**values))

    @property
    def line(self) -> str:
        """What a terminal shows: the message, and the command that says more."""
        return f"errdex: {self} [errdex explain {self.code}]"

    def __reduce__(self) -> tuple[object, ...]:
        """For errors that cross from one process to another."""
        plain = {name: v if isinstance(v, int) else str(v) for name, v in self.values.items()}
        return _again, (type(self), plain)


def _again(cls: type[ErrdexError], values: dict[str, object]) -> ErrdexError:
    return cls(**values)


def registry() -> dict[str, type[ErrdexError]]:
    """Every error class by its code, in order."""
    classes: list[type[ErrdexError]] = []
    waiting = [ErrdexError]
    while waiting:
        children = waiting.pop().__subclasses__()
        classes += [child for child in children if "code" in vars(child)]
        waiting += children
    return {cls.code: cls for cls in sorted(classes, key=lambda cls: cls.code)}


# -- sources and records ------------------------------------------------------------------


class SourceMissing(ErrdexError):
    code = "ED101"
    template = "{source} does not exist; name a file of records that does."


class SourceUnreadable(ErrdexError):
    code = "ED102"
    template = "{source} cannot be read ({reason}); check the file and its permissions."


class SourceEmpty(ErrdexError):
    code = "ED103"
    template = "{source} holds no records; give a file with one JSON record a line."


class SourceDamaged(ErrdexError):
    code = "ED104"
    template = (
        "{source} breaks off or is damaged after line {line} ({reason}); "
        "nothing of it was loaded: fetch it again."
    )


class RejectsUnwritable(ErrdexError):
    code = "ED105"
    template = "rejects file {path} cannot be written ({reason}); give another with --rejects."


class SourceForeign(ErrdexError):
    code = "ED106"
    template = (
        "{source} is {what}, not records; give JSON Lines or JSON in UTF-8, plain or packed "
        "with gzip, zstd, bzip2 or xz."
    )


class FolderWithoutRecords(ErrdexError):
    code = "ED107"
    template = (
        "{folder} holds no files of records; put .jsonl or .json files in it "
        "(or .gz, .zst, .bz2, .xz of them)."
    )


class NothingLoaded(ErrdexError):
    code = "ED108"
    template = (
        "none of the {count} records in {source} is well-formed, so no database was made "
        "(first: {first}); mend them in {rejects} and ingest that."
    )


class StoppedAtReject(ErrdexError):
    code = "ED109"
    template = "{first}; nothing was loaded, since --strict stops at the first faulty record."


class SourceScheme(ErrdexError):
    code = "ED110"
    template = "{source} is not an http or https address; give one that ends in manifest.json."


class SourceUnfetched(ErrdexError):
    code = "ED111"
    template = "{source} cannot be fetched ({reason}); nothing was loaded: try again later."


class DatasetBroken(ErrdexError):
    code = "ED112"
    template = "{source} is not part of a dataset ({reason}); check the address."


class DatasetMismatch(ErrdexError):
    code = "ED113"
    template = (
        "{source} is not what the manifest says ({reason}); nothing was loaded: try again later."
    )


# -- the database -------------------------------------------------------------------------


class DatabaseMissing(ErrdexError):
    code = "ED201"
    template = "{path} does not exist; make it with `errdex ingest SOURCE --db {path}`."


class DatabaseForeign(ErrdexError):
    code = "ED202"
    template = "{path} is not an errdex database ({reason}); name another with --db."


class DatabaseNewer(ErrdexError):
    code = "ED203"
    template = (
        "{path} has schema version {found}, and this errdex knows {known}; "
        "upgrade errdex or ingest into a new file."
    )


class DatabaseUnwritable(ErrdexError):
    code = "ED204"
    template = "{path} cannot be written ({reason}); the database is as it was before."


class DatabaseUnreadable(ErrdexError):
    code = "ED205"
    template = "{path} cannot be read ({reason}); check the file and its permissions."


class DatabaseOlder(ErrdexError):
    code = "ED206"
    template = (
        "{path} has schema version {found}, and this errdex reads {known}; "
        "run `errdex ingest` on it once to bring it up to date."
    )


class DatabaseBusy(ErrdexError):
    code = "ED207"
    template = "{path} is being written by another import; try again when that is done."


class ImportBroken(ErrdexError):
    code = "ED208"
    template = "the import stopped ({reason}); the database is as it was before: run it again."


# -- matching -----------------------------------------------------------------------------


class NothingToMatch(ErrdexError):
    code = "ED301"
    template = "there is no text to match; give it as an argument or on standard input."
    exit_code = 2


class RecordUnknown(ErrdexError):
    code = "ED302"
    template = "no record is called {name} in {path}; give an id or owner/repo/slug."


class KnowledgeBaseClosed(ErrdexError):
    code = "ED303"
    template = "{path} was closed; open it again with errdex.open."


class TextMissing(ErrdexError):
    code = "ED304"
    template = "{source} does not exist; name a file that holds the text to match."
    exit_code = 2


class TextUnreadable(ErrdexError):
    code = "ED305"
    template = "{source} cannot be read ({reason}); check the file and its permissions."
    exit_code = 2


class TextForeign(ErrdexError):
    code = "ED306"
    template = (
        "{source} is {what}, not text; give text, plain or packed with gzip, zstd, bzip2 or xz."
    )
    exit_code = 2


class TextDamaged(ErrdexError):
    code = "ED307"
    template = "{source} breaks off or is damaged ({reason}); what came before it was matched."
    exit_code = 2


# -- pages and the build ------------------------------------------------------------------


class FolderForeign(ErrdexError):
    code = "ED401"
    template = (
        "{path} holds files that errdex did not write, such as {example}; "
        "name an empty or new folder with --out."
    )


class FolderUnwritable(ErrdexError):
    code = "ED402"
    template = "{path} cannot be written ({reason}); name another folder with --out."


class TemplateBroken(ErrdexError):
    code = "ED403"
    template = "template {name} fails at line {line} ({reason}); mend it and build again."


class TemplateMissing(ErrdexError):
    code = "ED404"
    template = "template {name} is not in {folder}; restore it or install errdex again."


class BuildStopped(ErrdexError):
    code = "ED405"
    template = (
        "one of the processes that build {path} ended unexpectedly and nothing was changed; "
        "build again, with a smaller --jobs if memory is short."
    )


class BuildOvertaken(ErrdexError):
    code = "ED406"
    template = (
        "{path} was changed again and again while the build began; "
        "nothing was written: build again when the import is over."
    )


# -- serving ------------------------------------------------------------------------------


class PortInUse(ErrdexError):
    code = "ED501"
    template = "port {port} on {host} is in use; stop what listens there or give another --port."


class PortForbidden(ErrdexError):
    code = "ED502"
    template = "{host}:{port} cannot be listened on ({reason}); give another --host or --port."


class PackageMissing(ErrdexError):
    code = "ED503"
    template = (
        "`errdex {command}` needs the package {package}, which is not installed; "
        "install it beside errdex: `pip install {package}`."
    )


class ServiceError(ErrdexError):
    """What a request is answered with when it asks for something that cannot be given."""

    status: ClassVar[int] = 400
    """The HTTP status."""


class BodyTooLarge(ServiceError):
    code = "ED511"
    template = "the text is larger than {limit} bytes; send the part that holds the error."
    status = 413


class QueryTooLong(ServiceError):
    code = "ED512"
    template = "the query is longer than {limit} bytes; send the text as the body of a POST."
    status = 414


class TooManyRequests(ServiceError):
    code = "ED513"
    template = "more than {limit} requests a minute came from your address; wait {seconds} seconds."
    status = 429


class ParameterWrong(ServiceError):
    code = "ED514"
    template = "parameter {name} is {found}; give {expected}."


class AddressUnknown(ServiceError):
    code = "ED515"
    template = "there is nothing at {path}; /api/openapi.json lists what there is."
    status = 404


class MethodForbidden(ServiceError):
    code = "ED516"
    template = "{path} does not take {method}; use {allowed}."
    status = 405


class BodyUnreadable(ServiceError):
    code = "ED517"
    template = (
        "the body cannot be read ({reason}); send UTF-8 text, or JSON such as "
        '{{"text": "ValueError: …"}}.'
    )


class QueryUnreadable(ServiceError):
    code = "ED518"
    template = "the query cannot be read ({reason}); send name=value pairs."


class BodyTooSlow(ServiceError):
    code = "ED519"
    template = "the body did not arrive within {limit} seconds; send it again."
    status = 408


class ServiceBusy(ServiceError):
    code = "ED520"
    template = "{limit} long texts are being matched already; try again in {seconds} seconds."
    status = 503


# -- the command line ---------------------------------------------------------------------


class ExplanationMissing(ErrdexError):
    code = "ED602"
    template = (
        "nothing that ships with errdex explains {asked}; ask a database with `errdex match`."
    )
