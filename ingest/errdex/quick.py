"""`errdex match TEXT` and nothing else, without what reading options would import.

It is what people type most, and what tools call for each line: it does just what
`errdex.cli.match` does when it is called like this, in half of the time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from errdex.errors import ErrdexError
from errdex.report.reporter import MATCHED, NOTHING, WRONG_USE, Wanted, reporting
from errdex.report.sighting import Sighting

_DATABASE = "errdex.db"


def plain_text(arguments: Sequence[str]) -> str | None:
    """TEXT, where these are the arguments of a plain call; else None."""
    if len(arguments) != 2 or arguments[0] != "match" or arguments[1].startswith("-"):
        return None
    return arguments[1]


def match(text: str) -> int:
    """Match the text, print what is found, and give the exit code."""
    database = Path(os.environ.get("ERRDEX_DB") or _DATABASE)
    site = os.environ.get("ERRDEX_SITE") or None
    try:
        with reporting(database, "text", sys.stdout, site) as reporter:
            sighting = Sighting(text, Wanted().found_in(text, reporter.matcher))
            severity = reporter.report([sighting], log=False)
    except ErrdexError as problem:
        print(problem.line, file=sys.stderr)
        return WRONG_USE
    except BrokenPipeError:  # nobody reads on; nor may the interpreter flush at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOTHING
    return MATCHED if severity >= 0 else NOTHING
