"""Credentials in a text: found so that they are masked wherever the text goes on."""

from __future__ import annotations

import re

MASK = "***"

_APPLIES = re.compile(
    r"(?i:bearer|basic |token|passw|pwd|secret|[_-]key|apikey)|://|eyJ|AKIA|ASIA|PRIVATE KEY"
    r"|gh[opusr]_|github_pat|glpat|xox|(?:sk|pk|rk|hf|npm|pypi)[_-]"
)
_SECRET = re.compile(
    r"(?i:\b(?:bearer|basic|token)\s+)([A-Za-z0-9._~+/=-]{12,})"  # Authorization headers
    r"|(?<=:)([^\s:/@]{3,})(?=@[\w.-]+)"  # the password in scheme://user:password@host
    r"|(?i:(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|token)"
    r"[\"']?\s*[=:]\s*[\"']?)([^\s\"',;&]{6,})"
    r"|\b((?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abpr]|sk|pk|rk|hf|npm|pypi)[_-]"
    r"[A-Za-z0-9_-]{16,})"
    r"|\b((?:AKIA|ASIA)[A-Z0-9]{16})\b"
    r"|\b(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+)"  # JSON Web Tokens
    r"|(-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]{0,4000}?(?:-----END [A-Z ]*KEY-----|\Z))"
)


def find_secrets(text: str) -> list[tuple[int, int]]:
    """Where something stands that looks like a credential: offsets, ends exclusive."""
    if not _APPLIES.search(text):
        return []
    return [found.span(found.lastindex or 0) for found in _SECRET.finditer(text)]


def mask_secrets(text: str) -> str:
    """The text with each credential replaced by `***`."""
    out, at = [], 0
    for start, end in find_secrets(text):
        out += [text[at:start], MASK]
        at = end
    return "".join([*out, text[at:]])
