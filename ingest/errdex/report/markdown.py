"""Format `markdown`: a comment for an issue tracker; empty where nothing matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from errdex.markdown import code_span
from errdex.match.answers import Match
from errdex.match.secrets import mask_secrets
from errdex.report.links import page_address
from errdex.report.prose import plain, safe, value_span
from errdex.report.sighting import Setting, Sighting
from errdex.report.text import excerpt

_FIXES = 3
_EQUALS = 3
"""Equally good records that are shown; the others are counted."""


def write(sightings: Iterable[Sighting], setting: Setting) -> Iterator[str]:
    """A section for each sighting that has a match."""
    written = False
    for sighting in sightings:
        if sighting.best is None:
            continue
        yield ("\n" if written else "") + "\n".join(_section(sighting, setting)) + "\n"
        written = True


def _section(sighting: Sighting, setting: Setting) -> Iterator[str]:
    if setting.log:
        times = f", {sighting.times} times" if sighting.times > 1 else ""
        yield f"Line {sighting.first_line}{times}: {code_span(excerpt(sighting))}"
        yield ""
    claimed = sighting.answer.claimed
    equal = [match for match in claimed if match.group == claimed[0].group]
    if len(equal) > 1:
        yield f"{len(equal)} records fit equally well."
        yield ""
    for number, match in enumerate(equal[:_EQUALS]):
        if number:
            yield ""
        yield from _match(match, setting)


def _match(match: Match, setting: Setting) -> Iterator[str]:
    fixes = setting.fixes(match.id)
    message = match.error_message
    headline = code_span(f"{match.error_class}: {message}" if match.error_class else message)
    source = fixes.github_url if fixes else None
    page = page_address(setting.site, match.id, match.values) if setting.site else source
    yield f"### [{headline}](<{page}>)" if page else f"### {headline}"
    yield ""
    where = f"[{match.repo}](<{source}>)" if source else match.repo
    reasons = plain(mask_secrets("; ".join(match.reasons)))
    yield f"`{match.id}` · {where} · {match.severity} · score {match.score:.2f} · {reasons}"
    if match.values:
        yield ""
        for name, value in match.values.items():
            yield f"- {code_span(name)}: {value_span(value)}"
    if fixes and fixes.solutions:
        yield ""
        yield "**How to fix it**" if len(fixes.solutions) <= _FIXES else "**First fixes**"
        yield ""
        for number, solution in enumerate(fixes.solutions[:_FIXES], 1):
            yield f"{number}. " + safe(solution, match.values).replace("\n", "\n   ")
