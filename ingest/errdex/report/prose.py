"""A record's Markdown and a reader's values, made safe for a comment on an issue.

Code stays code, in fences and spans that nothing inside can close. In the prose between,
no HTML, picture, mention or reference to an issue survives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from errdex.markdown import code_block, code_span
from errdex.report.filling import fill
from errdex.style import visible

LONGEST = 4000
"""Characters of one text that are shown."""
_LONGEST_VALUE = 300

_CODE = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})(?P<language>[\w+-]{0,20})[^\n]*\n(?P<block>.*?)"
    r"(?:^ {0,3}(?P=fence)[ \t]*$|\Z)"
    r"|(?<!`)(?P<ticks>`{1,2})(?!`)(?P<span>[^\n]+?)(?<!`)(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE,
)
_PLACEHOLDER = re.compile(r"(\{[^{}\n]{1,80}\})")
_BREAK = "&#8203;"
_ACTIVE = re.compile(
    r"(?P<mention>@)|(?P<issue>#(?=\d)|(?i:\bGH-(?=\d)))|(?P<picture>!(?=\[))|(?P<sign>[<>&`~|\\])"
)


def safe(text: str, values: Mapping[str, str]) -> str:
    """The Markdown with values filled in, on as many lines as it had."""
    return "".join(_parts(visible(text.strip())[:LONGEST], values))


def value_span(value: str) -> str:
    """A value as one code span."""
    flat = " ".join(value.split())
    return code_span(flat if len(flat) <= _LONGEST_VALUE else flat[: _LONGEST_VALUE - 1] + "…")


def plain(text: str) -> str:
    """Prose in which nothing is HTML, a picture, a mention or a reference."""
    return _ACTIVE.sub(_disarmed, text)


def _disarmed(found: re.Match[str]) -> str:
    if found["mention"] or found["issue"]:
        return found[0] + _BREAK
    return f"&#{ord(found[0])};"


def _parts(text: str, values: Mapping[str, str]) -> Iterator[str]:
    at = 0
    for code in _CODE.finditer(text):
        yield _prose(text[at : code.start()], values)
        if code["fence"]:
            yield code_block(fill(code["block"].rstrip("\n"), values), code["language"])
        else:
            yield code_span(fill(code["span"], values))
        at = code.end()
    yield _prose(text[at:], values)


def _prose(text: str, values: Mapping[str, str]) -> str:
    parts = []
    for part in _PLACEHOLDER.split(text):
        filled = fill(part, values, value_span) if part.startswith("{") else part
        parts.append(plain(part) if filled == part else filled)
    return "".join(parts)
