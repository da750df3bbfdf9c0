"""Pass: what loggers, process managers, containers and build tools put before a line."""

from __future__ import annotations

from errdex.late import expression
from errdex.match.views.view import Edits, View

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
    rf"{_LEVEL}\b(?!=)[ \t]*",
    rf"{_LEVEL.lower()}\b(?!=|:? ?\[)[ \t]*",
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
    r"npm (?:ERR!|error|WARN|warn)(?= )",
    r"[╭╰├│┃║▏▎❱>]+(?=[ \n]|$)",  # boxes, gutters and quotes
    r"E {2}(?= )",  # pytest
    r"[|:*\-–—](?=\s|$)",  # what stands between two of them
)
"""One piece of a prefix each; a prefix is any of them one after another."""

_ATOM = expression(r"[ \t]*(?![ \t])(?:" + "|".join(ATOMS) + r"):?")
_ATOM_LINES = expression("(?m)^" + _ATOM.pattern)
_HOST_AFTER_TIME = expression(r"[ \t]+[\w.-]{1,60}(?= [\w.@/-]{1,60}(?:\[\d{1,9}\])?: )")
_TIME_BEFORE_HOST = expression(rf"[ \t]*{_SYSLOG_TIME}\Z")
_RIGHT_COLUMN = expression(r"(?m)(?<=\S)[ \t]{2,}[\w.-]{1,60}\.py:\d{1,6}[ \t]*$")
"""Where a line was logged, as `rich` puts it at the right edge of the terminal."""
_BOX = "│┃║|*"
_RIGHT_EDGES = tuple(" " + sign for sign in _BOX)
_BETWEEN_CELLS = " | "
_MOST_ATOMS = 12
_LONGEST_PREFIX = 400


def prefix_end(line: str) -> int:
    """Where the prefix of a line ends; 0 if it has none."""
    return _end_from(line, 0, 0, len(line))


def _end_from(text: str, begin: int, at: int, stop: int) -> int:
    """Where a prefix ends, on a line that ends at `stop`; its piece from `begin` to `at`, if
    there is anything between them, was found already."""
    left = _MOST_ATOMS
    while True:
        if at > begin:
            left -= 1
            if text[at - 1].isalnum() and _TIME_BEFORE_HOST.match(text, begin, at):
                host = _HOST_AFTER_TIME.match(text, at, stop)
                at = host.end() if host else at
        atom = _ATOM.match(text, at, stop) if left else None
        if atom is None or atom.end() == at:
            return at
        begin, at = at, atom.end()


def strip_prefixes(view: View) -> View:
    """Each line without its prefix; one blank behind a prefix goes with it.

    Indentation behind the prefix stays: it is a part of tracebacks and of values.
    """
    edits = list(_edits(view.text))
    return view.edited(edits, "prefixes") if edits else view


def strip_right_column(view: View) -> View:
    """Without the file and line at the right edge that a logger puts behind its first lines."""
    if ".py:" not in view.text:
        return view
    columns = [(*found.span(), "") for found in _RIGHT_COLUMN.finditer(view.text)]
    return view.edited(columns, "right column")


def _edits(text: str) -> Edits:
    for found in _ATOM_LINES.finditer(text):
        start = found.start()
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        first, stop = found.end(), min(end, start + _LONGEST_PREFIX)
        if first >= stop:  # what is behind the line may have had a part in it
            first = start
        cut = _end_from(text, start, first, stop)
        if cut == start:
            continue
        if text.startswith(" ", cut, end):
            cut += 1
        yield start, cut, ""
        if (
            text[start] in _BOX
            and text.endswith(_RIGHT_EDGES, cut, end)
            and text.find(_BETWEEN_CELLS, cut, end) < 0
        ):
            inside = text[cut : end - 1].rstrip(" ")
            yield cut + len(inside), end, ""
