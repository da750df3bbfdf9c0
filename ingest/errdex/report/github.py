"""Format `github`: workflow commands that GitHub Actions shows as annotations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from errdex.match.answers import Match
from errdex.match.secrets import mask_secrets
from errdex.report.filling import fill
from errdex.report.links import page_address
from errdex.report.sighting import Setting, Sighting
from errdex.style import visible

_COMMANDS = {"critical": "error", "error": "error", "warning": "warning", "info": "notice"}
_LONGEST = 2000


def write(sightings: Iterable[Sighting], setting: Setting) -> Iterator[str]:
    """One command for each sighting that has a match."""
    for sighting in sightings:
        if sighting.best is not None:
            yield _annotation(sighting, sighting.best, setting) + "\n"


def _annotation(sighting: Sighting, match: Match, setting: Setting) -> str:
    properties = {"title": f"{match.error_class or match.slug} [{match.id}]"}
    if sighting.source:
        properties |= {"file": sighting.source, "line": str(sighting.first_line + match.line - 1)}
    said = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[match.severity]} {said}::{_data(_message(sighting, match, setting))}"


def _message(sighting: Sighting, match: Match, setting: Setting) -> str:
    lines = [fill(match.error_message, match.values)]
    if sighting.times > 1:
        lines.append(f"Seen {sighting.times} times, last on line {sighting.last_line}.")
    fixes = setting.fixes(match.id)
    if fixes and fixes.solutions:
        lines.append("Fix: " + fill(fixes.solutions[0].strip(), match.values))
    if setting.site:
        lines.append(page_address(setting.site, match.id, match.values))
    elif fixes and fixes.github_url:
        lines.append(fixes.github_url)
    return "\n".join(mask_secrets(line)[:_LONGEST] for line in lines)


def _data(text: str) -> str:
    text = visible(text)
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
