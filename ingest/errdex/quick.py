"""`errdex match TEXT [--db FILE]` and no more, without what reading options would import.

It is what people type most, and what tools call for each line: it does just what
`errdex.cli.match` does when it is called like this, in half of the time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_DATABASE = "errdex.db"


class PlainCall(NamedTuple):
    """What is to be matched against what."""

    text: str
    database: Path


def plain_call(arguments: Sequence[str]) -> PlainCall | None:
    """The call, where these are the arguments of a plain one; else None."""
    given = list(arguments)
    database = os.environ.get("ERRDEX_DB") or _DATABASE
    if "--db" in given[:-1]:
        at = given.index("--db")
        database = given.pop(at + 1)
        del given[at]
    if len(given) != 2 or given[0] != "match" or given[1].startswith("-"):
        return None
    return PlainCall(given[1], Path(database))


def match(call: PlainCall) -> int:
    """Match the text, print what is found, and give the exit code."""
    from errdex.errors import ErrdexError  # here, since every command asks for `plain_call`
    from errdex.report.reporter import MATCHED, NOTHING, WRONG_USE, Wanted, reporting
    from errdex.report.sighting import Sighting

    site = os.environ.get("ERRDEX_SITE") or None
    try:
        with reporting(call.database, "text", sys.stdout, site) as reporter:
            sighting = Sighting(call.text, Wanted().found_in(call.text, reporter.matcher))
            severity = reporter.report([sighting], log=False)
    except ErrdexError as problem:
        print(problem.line, file=sys.stderr)
        return WRONG_USE
    except BrokenPipeError:  # nobody reads on; nor may the interpreter flush at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOTHING
    return MATCHED if severity >= 0 else NOTHING
