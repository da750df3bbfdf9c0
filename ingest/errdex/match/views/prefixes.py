"""Pass: what loggers, process managers, containers and build tools put before a line."""

from __future__ import annotations

from collections.abc import Iterator

from errdex.late import expression
from errdex.match.views.view import Edit, View

_CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d| ?(?:UTC|GMT|[AP]M))?"
_DATE = r"(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d(?:[-/.]\d{2,4})?|\d{1,2}/[A-Z][a-z]{2}/\d{4})"
_DAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d"
_SYSLOG_TIME = rf"{_DAY}{_MONTH}(?: \d{{4}})? {_CLOCK}(?: \d{{4}})?"
_LEVEL = (
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRIT(?:ICAL)?|SEVERE|ALERT|PANIC)"
)

ATOMS = (
    rf"(?:{_DATE}[T ]{_CLOCK}|{_SYSLOG_TIME}|{_DATE}:{_CLOCK}|{_CLOCK})",
    rf"{_LEVEL}\b[ \t]*",
    rf"{_LEVEL.lower()}\b(?!:? ?\[)[ \t]*",
    r"[IWEF]\d{4}(?= )",  # glog's level and date
    # [core.py:12], [1,2]<stderr>; not [Errno 2], with which messages begin
    r"\[(?!Errno |WinError |SSL: |ERR_)[^\[\]\n\"'`]{1,60}\](?=[\s:|<\[]|$)(?:<\w{1,10}>)?",
    r"<[^<>\n\"'`=]{1,40}>(?=[\s:])",
    r"\((?:[A-Za-z]\w* )?(?:pid|rank|tid|thread|worker|process)[ =:]?[^()\n]{0,60}\)",
    r"[\w.@/-]{1,60}\[\d{1,9}\]:?(?= )",  # syslog's program[pid]:
    r"[\w.-]{1,60}-\d{1,6}:?(?= )",  # a numbered worker
    r"[\w./-]{1,60} +\|",  # compose
    r"\d{1,4}\|[\w.-]{1,40} *\|",  # pm2
    r"#\d{1,5}(?: \d{1,7}\.\d{1,3})?(?= )",  # a build step and its seconds
    r"\d{1,6}\.\d{3}(?= )",
    r"(?:stage|pid|tid|thread|rank|worker|node|host|job|step|task|pod|process)=[^\s=]{1,60}",
    r"rank ?\d{1,6}:?(?= )",
    r"[╭╰├│┃║▏▎❱>]+(?=[ \n]|$)",  # boxes, gutters and quotes
    r"E {2}(?= )",  # pytest
    r"[|:*\-–—](?=\s)",  # what stands between two of them
)
"""One piece of a prefix each; a prefix is any of them one after another."""

_ATOM = expression(r"[ \t]*(?![ \t])(?:" + "|".join(ATOMS) + r"):?")
_ATOM_LINES = expression("(?m)^" + _ATOM.pattern)
_HOST_AFTER_TIME = expression(r"[ \t]+[\w.-]{1,60}(?= [\w.@/-]{1,60}(?:\[\d{1,9}\])?: )")
_TIME_BEFORE_HOST = expression(rf"[ \t]*{_SYSLOG_TIME}\Z")
_BOX = "│┃║"
_MOST_ATOMS = 12
_LONGEST_PREFIX = 400


def prefix_end(line: str) -> int:
    """Where the prefix of a line ends; 0 if it has none."""
    at = 0
    for _ in range(_MOST_ATOMS):
        atom = _ATOM.match(line, at)
        if atom is None or atom.end() == at:
            break
        at = atom.end()
        if _TIME_BEFORE_HOST.match(atom[0]):
            host = _HOST_AFTER_TIME.match(line, at)
            at = host.end() if host else at
    return at


def strip_prefixes(view: View) -> View:
    """Each line without its prefix; one blank behind a prefix goes with it.

    Indentation behind the prefix stays: it is a part of tracebacks and of values.
    """
    edits = list(_edits(view.text))
    return view.edited(edits, "prefixes") if edits else view


def _edits(text: str) -> Iterator[Edit]:
    for found in _ATOM_LINES.finditer(text):
        start = found.start()
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start : min(end, start + _LONGEST_PREFIX)]
        cut = prefix_end(line)
        if not cut:
            continue
        if line.startswith(" ", cut):
            cut += 1
        yield Edit(start, start + cut, "")
        if line[0] in _BOX and end - 1 >= start + cut and text[end - 1] in _BOX:
            inside = text[start + cut : end - 1].rstrip(" ")
            yield Edit(start + cut + len(inside), end, "")
