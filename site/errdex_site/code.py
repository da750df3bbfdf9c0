"""Source code → HTML lines, colored by what a reader looks for first.

A full lexer took four fifths of a build's time, and a snippet of 40 lines that begins
somewhere in a file is guesswork for it too. This is one linear pass of one regular
expression a language: comments, strings, numbers, keywords, and names that begin like a
type. `languages.py` says what these look like where.
"""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup

from errdex_site.invisible import visible
from errdex_site.languages import LANGUAGES, Language, of_file

__all__ = ["highlight", "of_file"]

MAX_LINES = 400
MAX_COLUMNS = 1000
"""Beyond these a line, or the code, is cut; the record itself keeps all of it."""

# Tags are put in as control characters, which `visible` has taken out of the code, so that
# one escape serves the whole snippet.
_TAGS = {"k": "\x01", "s": "\x02", "c": "\x03", "n": "\x04", "t": "\x05"}
_END = "\x06"


def highlight(code: str, language: str = "") -> list[Markup]:
    """The lines of the code as HTML, each whole in itself; line breaks are not part of them."""
    lines = visible(code).expandtabs(4).split("\n")
    if lines and not lines[-1].strip():
        lines.pop()
    if len(lines) > MAX_LINES or any(len(line) > MAX_COLUMNS for line in lines):
        lines = [_cut(line) for line in lines[:MAX_LINES]]
    known = LANGUAGES.get(language)
    text = "\n".join(lines)
    if known is not None:
        text = _color(text, known)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for name, mark in _TAGS.items():
        text = text.replace(mark, f"<i class={name}>")
    return [Markup(line) for line in text.replace(_END, "</i>").split("\n")]  # noqa: S704 # escaped above


def _cut(line: str) -> str:
    more = len(line) - MAX_COLUMNS
    return line if more <= 0 else f"{line[:MAX_COLUMNS]}… ({more} more characters)"


def _color(text: str, language: Language) -> str:
    keywords = language.keywords
    pieces: list[str] = []
    at = _inside(text, language)
    if at:
        pieces.append(_whole(_TAGS["s" if language.docstrings else "c"], text[:at]))
    for hit in _scanner(language).finditer(text, at):
        kind = hit.lastgroup
        token = hit[0]
        if kind == "w":
            if token in keywords:
                mark = _TAGS["k"]
            elif "A" <= token[0] <= "Z" and language.types:
                mark = _TAGS["t"]
            else:
                continue
        else:
            mark = _TAGS[kind or "s"]
        start, end = hit.span()
        if at != start:
            pieces.append(text[at:start])
        pieces.append(f"{mark}{token}{_END}" if "\n" not in token else _whole(mark, token))
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def _whole(mark: str, token: str) -> str:
    """A token over several lines, closed at each line's end and opened on the next."""
    return "\n".join(f"{mark}{line}{_END}" if line else "" for line in token.split("\n"))


def _inside(text: str, language: Language) -> int:
    """Where a comment or docstring ends that began above the snippet; 0 when none did."""
    if language.docstrings:
        return _docstring_end(text)
    if language.block:
        opening, closing = language.block
        end = text.find(closing)
        if end >= 0 and opening not in text[:end]:
            return end + len(closing)
    return 0


def _docstring_end(text: str) -> int:
    hits = [hit.start() for hit in re.finditer('"""', text)]
    if len(hits) % 2 == 0:
        return 0
    above = text[: hits[0]].rstrip()
    line = text[hits[0] : (text + "\n").index("\n", hits[0])].strip()
    opens = not above or above.endswith((":", "(", "=", ","))
    alone = line == '"""' and text[: hits[0]].endswith((" ", "\n"))
    prose = above[above.rfind("\n") + 1 :].rstrip().endswith((".", "`"))
    return hits[0] + 3 if not opens and (alone or prose) else 0


@lru_cache
def _scanner(language: Language) -> re.Pattern[str]:
    """One expression; none of its parts can backtrack over more than a character."""
    parts = []
    comments = [re.escape(mark) + r"[^\n]*+" for mark in language.line]
    if language.block:
        opening, closing = map(re.escape, language.block)
        comments.append(rf"{opening}(?s:(?!{closing}).)*+(?:{closing})?")
    if comments:
        parts.append(f"(?P<c>{'|'.join(comments)})")
    strings = []
    if language.docstrings:
        strings += [
            rf"[rbfuRBFU]{{0,2}}{quote * 3}(?s:\\.|(?!{quote * 3}).)*+(?:{quote * 3})?"
            for quote in "\"'"
        ]
    prefix = "[rbfuRBFU]{0,2}" if language.docstrings else ""
    strings += [rf"{prefix}{q}(?:\\.|[^{q}\\\n])*+{q}?" for q in language.quotes]
    strings += [rf"{q}(?s:\\.|[^{q}\\])*+{q}?" for q in language.long_quotes]
    if language.characters:
        strings.append(r"'(?:\\[^\n']{1,8}|[^'\\\n])'")
    if strings:
        parts.append(f"(?P<s>{'|'.join(strings)})")
    parts.append(r"(?P<n>\b\d[\w.]*+)")
    parts.append(r"(?P<w>[^\W\d][\w$]*+)")
    return re.compile("|".join(parts))
