"""Format `json`: one document, for programs.

A paste: `{"matches": […], "secret": bool}`, as the API answers, each match with its
solutions. A log: `{"errors": […]}`, each as a line of format `jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

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
    yield msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def sighting_value(sighting: Sighting, setting: Setting) -> dict[str, object]:
    """A sighting as plain values."""
    return {
        "source": sighting.source,
        "firstLine": sighting.first_line,
        "lastLine": sighting.last_line,
        "count": sighting.count,
        "text": encodable(mask_secrets(sighting.text)),
        "matches": match_values(sighting, setting),
        "secret": sighting.answer.secret,
    }


def match_values(sighting: Sighting, setting: Setting) -> list[dict[str, object]]:
    """The matches of a sighting as plain values."""
    return [match_value(match, setting) for match in sighting.answer.matches]


def match_value(match: Match, setting: Setting) -> dict[str, object]:
    """A match as plain values, with the solutions of its record filled in."""
    entry = setting.entry(match.id)
    if entry is None:
        return completed(match, None, [])
    return completed(match, entry.record.github_url, entry.record.solutions)


def completed(match: Match, github_url: str | None, solutions: list[str]) -> dict[str, object]:
    """A match as plain values, with these of its record; the solutions are filled in."""
    value: dict[str, object] = msgspec.to_builtins(match)
    value["values"] = {encodable(k): encodable(v) for k, v in match.values.items()}
    value["reasons"] = [encodable(reason) for reason in match.reasons]
    return value | {
        "githubUrl": github_url,
        "solutions": [encodable(fill(one, match.values)) for one in solutions],
    }


def encodable(text: str) -> str:
    """The text as UTF-8 can hold it: lone surrogates become `?`."""
    return text.encode("utf-8", "replace").decode()
