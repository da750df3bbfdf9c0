"""Credentials in a text: found so that they are masked wherever the text goes on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from errdex.late import expression

MASK = "***"
_SHORTEST_PART = 6
"""Characters of a credential that give something away."""

_MARKS = (
    "bearer", "basic ", "token", "passw", "pwd", "secret", "key", "://", "eyj", "akia", "asia",
    "ghp", "gho", "ghu", "ghs", "ghr", "github_pat", "glpat", "xox", "sk-", "sk_", "pk-", "pk_",
    "rk-", "rk_", "hf_", "npm_", "pypi-", "aiza",
)  # fmt: skip
"""Lower case; a text without any of them holds no credential that _SECRET knows."""

_SECRET = expression(
    r"(?i:\b(?:bearer|basic|token)\s+)([A-Za-z0-9._~+/=-]{12,})"  # Authorization headers
    r"|(?<=:)([^\s:/@]{3,})(?=@[\w.-]+)"  # the password in scheme://user:password@host
    r"|(?i:(?:password|passwd|pwd|secret|(?:api|access|account|private|secret)[_-]?key|token)"
    r"[\"']?\s{0,9}[=:]\s{0,9}[\"']?)([^\s\"',;&]{6,})"
    r"|(?<![\w-])((?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abeprs]|sk|pk|rk|hf|npm|pypi)[_-]"
    r"[A-Za-z0-9_-]{16,})"
    r"|\b((?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35})"
    r"|(?<![\w-])(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?)"  # JSON Web Tokens
    r"|(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----)){0,9000}"
    r"(?:-----END [A-Z ]{0,40}KEY-----)?)"
)


def find_secrets(text: str) -> list[tuple[int, int]]:
    """Where something stands that looks like a credential: offsets, ends exclusive."""
    lower = text.lower()
    for mark in _MARKS:
        if mark in lower:
            break
    else:
        return []
    return [found.span(found.lastindex or 0) for found in _SECRET.finditer(text)]


def secret_texts(texts: Iterable[str]) -> list[str]:
    """The credentials in any of the texts, each once, the longest first."""
    found = {text[start:end] for text in texts for start, end in find_secrets(text)}
    return sorted(found, key=lambda secret: (-len(secret), secret))


def mask_texts(text: str, secrets: Sequence[str]) -> str:
    """The text with `***` for each of the credentials, and for it all if it is a part of one.

    A value is often cut out of what tells that it is a credential: `token=`, `https://ann:`.
    """
    for secret in secrets:
        if len(text) >= _SHORTEST_PART and text in secret:
            return MASK
        text = text.replace(secret, MASK)
    return mask_secrets(text)


def mask_secrets(text: str) -> str:
    """The text with each credential replaced by `***`."""
    out, at = [], 0
    for start, end in find_secrets(text):
        out += [text[at:start], MASK]
        at = end
    return "".join([*out, text[at:]])
