"""Format `json`: one document, for programs.

A paste: `{"matches": […], "secret": bool}`, as the API answers, each match with its
solutions. A log: `{"errors": […]}`, each as a line of format `jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from errdex.database.fixes import Fixes
from errdex.match.answers import Match
from errdex.match.secrets import mask_secrets
from errdex.report.filling import fill
from errdex.report.sighting import Setting, Sighting


def write(sightings: Iterable[Sighting], setting: Setting) -> Iterator[str]:
    """The document, indented, when all is known."""
    if setting.log:
        document: object = {"errors": [sighting_value(one, setting) for one in sightings]}
    else:
        (paste,) = sightings
        document = {"matches": match_values(paste, setting), "secret": paste.answer.secret}
    yield msgspec.json.format(encoded(document), indent=2).decode() + "\n"


def encoded(document: object) -> bytes:
    """The document as JSON; lone surrogates, which UTF-8 cannot hold, become `?`."""
    try:
        return msgspec.json.encode(document)
    except UnicodeEncodeError:
        return msgspec.json.encode(_encodable(document))


def _encodable(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {_encodable(key): _encodable(inner) for key, inner in value.items()}
        case list():
            return [_encodable(inner) for inner in value]
        case _:
            return value


def sighting_value(sighting: Sighting, setting: Setting) -> dict[str, object]:
    """A sighting as plain values."""
    return {
        "source": sighting.source,
        "firstLine": sighting.first_line,
        "lastLine": sighting.last_line,
        "count": sighting.times,
        "text": mask_secrets(sighting.text),
        "matches": match_values(sighting, setting),
        "secret": sighting.answer.secret,
    }


def match_values(sighting: Sighting, setting: Setting) -> list[dict[str, object]]:
    """The matches of a sighting as plain values."""
    return [match_value(match, setting) for match in sighting.answer.matches]


def match_value(match: Match, setting: Setting) -> dict[str, object]:
    """A match as plain values, with the solutions of its record filled in."""
    return completed(match, setting.fixes(match.id))


def completed(match: Match, fixes: Fixes | None) -> dict[str, object]:
    """A match as plain values, with what is told of its record; the solutions are filled in."""
    return match.as_json() | {
        "githubUrl": fixes.github_url if fixes else None,
        "solutions": [fill(one, match.values) for one in fixes.solutions] if fixes else [],
    }
