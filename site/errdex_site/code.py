"""Source code → HTML lines, colored by what a reader looks for first.

A full lexer took four fifths of a build's time, and a snippet of 40 lines that begins
somewhere in a file is guesswork for it too. This is one linear pass: one regular expression
a language splits the code into comments, strings, numbers, names and what is between them,
and a table remembers the HTML of each piece. `languages.py` says what they look like where.
"""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_letters, ascii_uppercase, digits

from errdex_site.invisible import visible
from errdex_site.languages import LANGUAGES, Language

MAX_LINES = 400
MAX_COLUMNS = 1000
"""Beyond these a line, or the code, is cut; the record itself keeps all of it."""

_REMEMBERED = 20_000
"""Pieces a language, none longer than `_MAX_PIECE`; then the table begins anew."""
_MAX_PIECE = 120
_LETTERS = frozenset(ascii_letters + "_")
_DIGITS = frozenset(digits)


def highlight(code: str, language: str = "") -> list[str]:
    """The lines of the code as HTML, each whole in itself; line breaks are not part of them."""
    code = visible(code).expandtabs(4).rstrip(" \n")
    if len(code) > MAX_COLUMNS:
        lines = code.split("\n")
        if len(lines) > MAX_LINES or max(map(len, lines)) > MAX_COLUMNS:
            code = "\n".join(_cut(line) for line in lines[:MAX_LINES])
    known = LANGUAGES.get(language)
    if known is None:
        return _escape(code).split("\n")
    scanner, colors = _tools(known)
    begun = _begun_above(code, known)
    start = _wrap("s" if known.docstrings else "c", code[:begun]) if begun else ""
    pieces = scanner.split(code[begun:])
    return (start + "".join(map(colors.__getitem__, pieces))).split("\n")


def _cut(line: str) -> str:
    more = len(line) - MAX_COLUMNS
    return line if more <= 0 else f"{line[:MAX_COLUMNS]}… ({more} more characters)"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _wrap(name: str, token: str) -> str:
    """A token in its color, closed at each line's end and opened on the next."""
    html = _escape(token)
    if "\n" not in html:
        return f"<i class={name}>{html}</i>"
    return "\n".join(f"<i class={name}>{line}</i>" if line else "" for line in html.split("\n"))


class _Colors(dict[str, str]):
    """The HTML of each piece that the scanner splits off."""

    def __init__(self, language: Language) -> None:
        self._keywords = {word: _wrap("k", word) for word in language.keywords}
        super().__init__(self._keywords)
        self._types = frozenset(ascii_uppercase if language.types else "")
        self._quotes = frozenset(language.quotes + language.long_quotes)
        self._characters = language.characters
        self._comments = language.line + (language.block or ())[:1]

    def __missing__(self, piece: str) -> str:
        html = self._html(piece)
        if len(piece) <= _MAX_PIECE:
            if len(self) >= _REMEMBERED:
                self.clear()
                self.update(self._keywords)
            self[piece] = html
        return html

    def _html(self, piece: str) -> str:
        first = piece[:1]
        if first in _LETTERS:  # a name: nothing in it means anything in HTML
            return f"<i class=t>{piece}</i>" if first in self._types else piece
        if first in _DIGITS:
            return f"<i class=n>{piece}</i>"
        if piece.startswith(self._comments):
            return _wrap("c", piece)
        if first in self._quotes or (self._characters and first == piece[2:][-1:] == "'"):
            return _wrap("s", piece)
        return _escape(piece)


def _begun_above(code: str, language: Language) -> int:
    """Where a comment or docstring ends that began above the snippet; 0 when none did."""
    if language.docstrings:
        return _docstring_end(code)
    if language.block:
        opening, closing = language.block
        end = code.find(closing)
        if end >= 0 and code.find(opening, 0, end) < 0:
            return end + len(closing)
    return 0


def _docstring_end(code: str) -> int:
    """An odd number of marks: the first closes, if it stands as closing marks do."""
    count = code.count('"""')
    if count % 2 == 0:
        return 0
    first = code.index('"""')
    above = code[:first].rstrip()
    if not above or above.endswith((":", "(", "=", ",")):
        return 0
    alone = code[first : (code + "\n").index("\n", first)].strip() == '"""'
    return first + 3 if alone or above.endswith((".", "`")) else 0


@lru_cache
def _tools(language: Language) -> tuple[re.Pattern[str], _Colors]:
    """The scanner, none of whose parts can backtrack over more than a character.

    It begins with one class of characters, by which the engine skips what is in between;
    then a look behind at that character chooses what may follow it.
    """
    rest = [("[A-Za-z_]", r"[\w$]*+"), ("[0-9]", r"[\w.]*+")]
    rest += [(mark[0], re.escape(mark[1:]) + r"[^\n]*+") for mark in language.line]
    if language.block:
        opening, closing = language.block
        end = re.escape(closing)
        rest.append((opening[0], rf"{re.escape(opening[1:])}(?s:(?!{end}).)*+(?:{end})?"))
    if language.docstrings:
        rest += [(q, rf"{q}{q}(?s:\\.|(?!{q * 3}).)*+(?:{q * 3})?") for q in "\"'"]
    rest += [(q, rf"(?:\\.|[^{q}\\\n])*+{q}?") for q in language.quotes]
    rest += [(q, rf"(?s:\\.|[^{q}\\])*+{q}?") for q in language.long_quotes]
    if language.characters:
        rest.append(("'", r"(?:\\[^\n']{1,8}|[^'\\\n])'"))
    firsts = "".join(sorted({re.escape(first) for first, _ in rest[2:]}))
    parts = [f"(?<={first if len(first) > 1 else re.escape(first)}){more}" for first, more in rest]
    return re.compile(f"([A-Za-z_0-9{firsts}](?:{'|'.join(parts)}))"), _Colors(language)
