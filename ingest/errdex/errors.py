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


# -- matching -----------------------------------------------------------------------------


class NothingToMatch(ErrdexError):
    code = "ED301"
    template = "there is no text to match; give it as an argument or on standard input."
    exit_code = 2


class RecordUnknown(ErrdexError):
    code = "ED302"
    template = "no record is called {name} in {path}; give an id or owner/repo/slug."


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


# -- serving ------------------------------------------------------------------------------


class PortInUse(ErrdexError):
    code = "ED501"
    template = "port {port} on {host} is in use; stop what listens there or give another --port."


class PortForbidden(ErrdexError):
    code = "ED502"
    template = "{host}:{port} cannot be listened on ({reason}); give another --host or --port."


# -- the command line ---------------------------------------------------------------------


class OutputClosed(ErrdexError):
    code = "ED601"
    template = "the output was closed before all of it was written; nothing else was lost."
