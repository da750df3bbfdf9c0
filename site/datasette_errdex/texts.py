"""The text that a request wants matched, and how: from its address, or from its body."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from datasette_errdex.asgi import Call, parameters
from datasette_errdex.readers import Duration
from errdex.errors import BodyTooLarge, BodyUnreadable, ParameterWrong, QueryUnreadable
from errdex.match.answers import Answer
from errdex.match.engine import Matcher

MAX_BYTES = 1_000_000
"""Of a text, as UTF-8. A body may be larger by what its form of writing takes."""

_MAX_BODY = 3 * MAX_BYTES + 4096
"""A form writes most bytes of a text in other scripts as three characters."""

_SHORTEST, _SHORT = 500, 10_000
"""Characters of a text that is matched in one or two milliseconds, or in about fifty."""

_DEFAULT_LIMIT = 10
_MAX_LIMIT = 50


@dataclass(frozen=True)
class Question:
    """A text, and what is wanted of its answer."""

    text: str
    limit: int = _DEFAULT_LIMIT
    repo: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def takes(self) -> Duration:
        """How long the answer takes."""
        size = len(self.text)
        return "a moment" if size <= _SHORTEST else "some" if size <= _SHORT else "long and large"

    def answer(self, matcher: Matcher) -> Answer:
        """What the matcher finds."""
        return matcher.match(self.text, limit=self.limit, repo=self.repo, tags=self.tags)


class _Posted(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    limit: float = _DEFAULT_LIMIT  # JSON knows one kind of number: 10.0 is 10
    repo: str | None = None
    tags: list[str] = []


_posted = msgspec.json.Decoder(_Posted)


def matched_text(query: dict[str, str]) -> Question | None:
    """The question that an address asks with `q`, `limit`, `repo` and `tag`; None without `q`."""
    text = query.get("q", query.get("text"))
    return None if text is None else _with_options(text, query)


async def posted_text(call: Call) -> Question:
    """The question that a body asks: JSON, a form, or else the text itself."""
    kind = call.headers.get("content-type", "").partition(";")[0].strip().lower()
    plain = kind not in ("application/json", "application/x-www-form-urlencoded")
    body = await call.body(MAX_BYTES if plain else _MAX_BODY)
    if kind == "application/json":
        return _checked(_from_json(body))
    if kind == "application/x-www-form-urlencoded":
        question = _from_form(body)
        if question is not None:
            return _checked(question)
    if kind.startswith("multipart/"):
        raise BodyUnreadable(reason=f"it is {kind}")
    if len(body) > MAX_BYTES:
        raise BodyTooLarge(limit=MAX_BYTES)
    return _with_options(body.decode("utf-8", "replace"), call.query())


def _from_form(body: bytes) -> Question | None:
    """The question of a form; None for a text that only says that it is one, as curl does of
    every text that it sends."""
    try:
        form = parameters(body)
    except QueryUnreadable:
        return None
    whole_number(form, "limit", _DEFAULT_LIMIT, _MAX_LIMIT)
    return matched_text(form)


def _from_json(body: bytes) -> Question:
    try:
        posted = _posted.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise BodyUnreadable(reason=str(problem)) from None
    if not 1 <= posted.limit <= _MAX_LIMIT or posted.limit % 1:
        raise ParameterWrong(name="limit", found=posted.limit, expected=f"1 to {_MAX_LIMIT}")
    return Question(posted.text, int(posted.limit), posted.repo, tuple(posted.tags))


def _with_options(text: str, query: dict[str, str]) -> Question:
    tags = tuple(tag for tag in query.get("tag", "").split(",") if tag)
    return Question(
        text, whole_number(query, "limit", _DEFAULT_LIMIT, _MAX_LIMIT), query.get("repo"), tags
    )


def whole_number(query: dict[str, str], name: str, default: int, most: int) -> int:
    """A parameter from 1 to `most`. Raises ParameterWrong."""
    found = query.get(name)
    if found is None:
        return default
    if not (found.isascii() and found.isdecimal() and len(found) <= 9 and 1 <= int(found) <= most):
        raise ParameterWrong(name=name, found=repr(found[:40]), expected=f"1 to {most}")
    return int(found)


def _checked(question: Question) -> Question:
    if len(question.text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise BodyTooLarge(limit=MAX_BYTES)
    return question
