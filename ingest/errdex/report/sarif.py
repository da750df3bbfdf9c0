"""Format `sarif`: SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

import msgspec

from errdex import __version__
from errdex.match.answers import Match
from errdex.report.filling import fill
from errdex.report.json import encoded
from errdex.report.links import page_address
from errdex.report.sighting import Setting, Sighting
from errdex.style import visible

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {"critical": "error", "error": "error", "warning": "warning", "info": "note"}
_PLACEHOLDER = re.compile(r"\{(\d+)\}")


def write(sightings: Iterable[Sighting], setting: Setting) -> Iterator[str]:
    """One run: a rule for each record, a result for each sighting that has a match."""
    rules: dict[str, dict[str, object]] = {}
    results = []
    for sighting in sightings:
        match = sighting.best
        if match is None:
            continue
        if match.id not in rules:
            rules[match.id] = _rule(match, setting)
        results.append(_result(sighting, match, list(rules).index(match.id)))
    driver = {"name": "errdex", "version": __version__, "rules": list(rules.values())}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    yield msgspec.json.format(encoded(document), indent=2).decode() + "\n"


def _rule(match: Match, setting: Setting) -> dict[str, object]:
    told = setting.fixes(match.id)
    rule: dict[str, object] = {
        "id": match.id,
        "name": match.error_class or match.error_code or match.slug,
        "shortDescription": _text(match.error_message),
        "defaultConfiguration": {"level": _LEVELS[match.severity]},
        "properties": {"repo": match.repo, "slug": match.slug, "severity": match.severity},
    }
    if told is not None:
        rule["fullDescription"] = _text(told.documentation)
        fixes = "\n".join(f"{number}. {fix}" for number, fix in enumerate(told.solutions, 1))
        rule["help"] = _text(fixes or told.documentation)
        address = page_address(setting.site, match.id, {}) if setting.site else told.github_url
        if address:
            rule["helpUri"] = address
    return rule


def _result(sighting: Sighting, match: Match, index: int) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": match.id,
        "ruleIndex": index,
        "level": _LEVELS[match.severity],
        "message": _text(fill(match.error_message, match.values)),
        "occurrenceCount": sighting.times,
        "rank": round(match.score * 100, 2),
        "partialFingerprints": {"errdexRecord/v1": match.id},
        "properties": {
            "values": match.values,
            "reasons": match.reasons,
            "lastLine": sighting.last_line,
        },
    }
    if sighting.source:
        place = {"uri": quote(Path(sighting.source).as_posix(), errors="replace")}
        region = {"startLine": sighting.first_line + match.line - 1}
        physical = {"artifactLocation": place, "region": region}
        result["locations"] = [{"physicalLocation": physical}]
    return result


def _text(text: str) -> dict[str, str]:
    """A message in which nothing is a placeholder (`{0}`) or a link (`[text](target)`)."""
    shown = visible(text).strip() or "(empty)"
    return {"text": _PLACEHOLDER.sub(r"{{\1}}", shown).replace("](", "\\](")}
