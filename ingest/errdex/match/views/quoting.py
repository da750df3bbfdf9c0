"""Passes: messages inside the strings of another language, read as they were meant.

Each but the last replaces only strings that its language must have written: a Windows path
between quotes, `"C:\\new\\table"`, is no JSON string with a line break and a tab.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from errdex.late import expression
from errdex.match.views.view import Edits, View

_JSON_OBJECT = expression(r'(?m)(?:[{\[,]\s*|^[ \t]*)"[^"\\\n]{1,80}"\s*:')
_STRING = expression(r'"((?:[^"\\\n]|\\.)*)(?:"|$|(?=\n))')
_KEY_VALUE = expression(r'\b[A-Za-z_][\w.]{0,60}="((?:[^"\\\n]|\\.)*)"')
_DRIVE = expression(r"(?<![A-Za-z])[A-Za-z]:\\\w|\\\\\w")
_JSON_ESCAPE = expression(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[0-9a-fA-F]{4})|(.))"
)
_JSON_CONTROLS = {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}

_CSV = expression(r'(?:(?<=[,;\t])|(?:(?<=\n)|\A))"((?:[^"]|""){0,20000})"(?=[,;\t]|\n|\Z)')
_SHELL_QUOTE = expression(r"'\\''")

_PYTHON_STRING = r"(?:[rbu]{0,2}'(?:[^'\\\n]|\\.)*'|[rbu]{0,2}\"(?:[^\"\\\n]|\\.)*\")"
_PYTHON = expression(
    rf"(?P<bytes>(?<![\w'\"])b(?:'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"))"
    rf"|(?P<name>\b[A-Z]\w{{2,80}})?\((?P<args>{_PYTHON_STRING}(?:, ?{_PYTHON_STRING}){{0,40}}),?\)"
)
_PYTHON_STRINGS = expression(_PYTHON_STRING)
_PYTHON_ESCAPE = expression(r"\\(?:x([0-9a-fA-F]{2})|(.))")
_BYTE_ESCAPE = expression(r"((?:\\x[0-9a-fA-F]{2}){1,40})|\\(.)")
_PYTHON_CONTROLS = {"n": "\n", "t": "\t", "r": ""}

_ESCAPE_APPLIES = expression(r"\\(?:n|xa0|u00a0)|#012|\^M(?=\n|\Z)|[\u21b5\u23ce\u240a]")
_LONGEST_ESCAPED = 300_000
"""Characters of a text of which such a reading is made."""
_WHITE = {"line": "\n", "tab": "\t", "blank": " "}
_ANY_ESCAPE = expression(
    r"(?P<line>(?:\\{1,8}r)?\\{1,8}n|(?:#015)?#012|[\u21b5\u23ce\u240a]\n?)"
    r"|(?P<tab>\\{1,8}t(?![\w.-]{0,40}\\)|#011)"
    r"|(?P<blank>\\{1,8}(?:xa0|u00a0))"
    r"|(?P<gone>\\{1,8}(?=[\"'`])|\^M(?=\n|\Z))"
)
"""Line breaks, tabs and quotes as they look once they have been written into a string, into
a string in a string, into the system's log, or by a viewer that shows line ends."""


def decode_escapes(view: View) -> View:
    """Line breaks and quotes that are escaped outside of any string, as often as may be.

    This also breaks paths such as `new\\north`: it is a reading of last resort.
    """
    text = view.text
    if "\\" not in text and "#" not in text and "^" not in text and text.isascii():
        return view
    if len(text) > _LONGEST_ESCAPED or not _ESCAPE_APPLIES.search(text):
        return view
    return view.edited(_escape_edits(view.text), "escapes")


def _escape_edits(text: str) -> Edits:
    for found in _ANY_ESCAPE.finditer(text):
        yield found.start(), found.end(), _WHITE.get(found.lastgroup or "", "")


def unescape_json(view: View) -> View:
    """JSON strings with a blank or an escape in them, decoded, each on lines of its own.

    A second pass decodes JSON that stood within a string of the first.
    """
    if "\\" not in view.text and '":' not in view.text and '" :' not in view.text:
        return view
    if not (_JSON_OBJECT.search(view.text) or _KEY_VALUE.search(view.text)):
        return view
    return view.edited(_json_edits(view.text), "json")


def _json_edits(text: str) -> Edits:
    at = 0
    for line in text.split("\n"):
        opening = _JSON_OBJECT.search(line)
        if opening:
            yield from _string_edits(text, _STRING, at + opening.start(), at + len(line))
        elif "\\" in line and not _DRIVE.search(line):
            yield from _string_edits(text, _KEY_VALUE, at, at + len(line))
        at += len(line) + 1


def _string_edits(text: str, strings: re.Pattern[str], at: int, end: int) -> Edits:
    for string in strings.finditer(text, at, end):
        inside = string[1]
        if "\\" not in inside and " " not in inside:
            continue
        start, stop = string.span(1)
        yield start - 1, start, "\n"
        for escape in _JSON_ESCAPE.finditer(text, start, stop):
            code, sign = escape.groups()
            plain = _utf16(code) if code else _JSON_CONTROLS.get(sign, sign)
            yield escape.start(), escape.end(), plain
        if string.end() > stop:
            yield stop, stop + 1, "\n"


def _utf16(code: str) -> str:
    """`d83d\\ude00` → the character of the pair; a half alone becomes U+FFFD."""
    return bytes.fromhex(code.replace("\\u", "")).decode("utf-16-be", "replace")


def unquote_csv(view: View) -> View:
    """A quoted CSV field with doubled quotes in it, on a line of its own; shell's `'\\''`."""
    if '""' not in view.text and "'\\''" not in view.text:
        return view
    return view.edited(_csv_edits(view.text), "csv")


def _csv_edits(text: str) -> Edits:
    if '""' not in text:
        for quote in _SHELL_QUOTE.finditer(text):
            yield quote.start(), quote.end(), "'"
        return
    for field in _CSV.finditer(text):
        if '""' not in field[1]:
            continue
        start, stop = field.span(1)
        yield start - 1, start, "\n"
        at = text.find('""', start, stop)
        while at >= 0:
            yield at, at + 2, '"'
            at = text.find('""', at + 2, stop)
        yield stop, stop + 1, "\n"


def unquote_python(view: View) -> View:
    """`repr` of bytes, of exceptions and of tuples of strings, as the text that was meant.

    `Name('a', 'b',)` becomes `Name: a b`: a blank is put between two arguments where
    neither the first ends nor the second begins with one.
    """
    if "('" not in view.text and '("' not in view.text and not re.search("b['\"]", view.text):
        return view
    return view.edited(_python_edits(view.text), "python")


def _python_edits(text: str) -> Edits:
    for found in _PYTHON.finditer(text):
        if found["bytes"]:
            if "\\" not in found["bytes"] and " " not in found["bytes"]:
                continue
            start, stop = found.start() + 2, found.end() - 1
            yield found.start(), start, "\n"
            yield from _python_escapes(text, start, stop, _BYTE_ESCAPE, _utf8)
            yield stop, stop + 1, "\n"
            continue
        strings = [s.span() for s in _PYTHON_STRINGS.finditer(text, *found.span("args"))]
        if not found["name"] and len(strings) < 2:
            continue
        yield from _argument_edits(text, found, strings)


def _argument_edits(text: str, found: re.Match[str], strings: list[tuple[int, int]]) -> Edits:
    before = found.end("name") if found["name"] else found.start()
    between = ": " if found["name"] else ""
    for start, end in strings:
        quote = text[end - 1]
        opening = text.index(quote, start) + 1
        if before != found.end("name") and before != found.start():
            meet = text[before - 2 : before - 1] + text[opening : opening + 1]
            between = "" if " " in meet or "\\" in meet else " "
            before -= 1
        yield before, opening, between
        yield from _python_escapes(text, opening, end - 1, _PYTHON_ESCAPE, _character)
        before = end
    yield before - 1, found.end(), "\n"


def _utf8(codes: str) -> str:
    """`\\xc3\\xbc` → `ü`."""
    return bytes.fromhex(codes.replace("\\x", "")).decode("utf-8", "replace")


def _character(code: str) -> str:
    return chr(int(code, 16))


def _python_escapes(
    text: str, start: int, end: int, escapes: re.Pattern[str], decode: Callable[[str], str]
) -> Edits:
    """The escapes of a string decoded: codes, which are the first group, by `decode`."""
    for escape in escapes.finditer(text, start, end):
        code, sign = escape.groups()
        plain = decode(code) if code else _PYTHON_CONTROLS.get(sign, sign)
        yield escape.start(), escape.end(), plain
