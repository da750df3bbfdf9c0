"""Format `text`: for people, at a terminal or in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from errdex.database.fixes import Fixes
from errdex.match.answers import Match
from errdex.match.secrets import mask_secrets
from errdex.report.filling import fill
from errdex.report.links import page_address
from errdex.report.sighting import Setting, Sighting
from errdex.style import Style, dress, link, visible, wrapped

_LONGEST_VALUE = 1000
_MOST_VALUE_LINES = 12
_LONGEST_EXCERPT = 300
_COLORS = {"critical": "red", "error": "red", "warning": "yellow", "info": "blue"}


def write(sightings: Iterable[Sighting], setting: Setting) -> Iterator[str]:
    """Each sighting as a block of lines; a blank line between two.

    Hints are shown only where there is no match: beside one they are noise.
    """
    for number, sighting in enumerate(sightings):
        if number:
            yield "\n"
        yield "".join(line.rstrip() + "\n" for line in _block(sighting, setting))


def _block(sighting: Sighting, setting: Setting) -> Iterator[str]:
    style = setting.style
    if setting.log:
        yield from _appearance(sighting, style)
    claimed = sighting.answer.claimed
    rest = [match for match in sighting.answer.matches if not match.claimed]
    hints = [match for match in rest if match.tier != "text"]
    guesses = [match for match in rest if match.tier == "text"]
    groups = [list(group) for _, group in groupby(claimed, key=lambda match: match.group)]
    if groups:
        yield from _best(groups[0], sighting, setting)
    else:
        yield "No record matches."
    if len(groups) > 1:
        yield from _list("Less likely:", [m for group in groups[1:] for m in group], setting)
    if hints and not groups:
        yield from _list("Weak hints, not matches:", hints, setting)
    if guesses and not groups:
        yield from _list("Guesses by words only, not matches:", guesses, setting)


def _appearance(sighting: Sighting, style: Style) -> Iterator[str]:
    """Where and how often a log has it, and its own words."""
    place = f"line {sighting.first_line}"
    if sighting.source:
        place = f"{visible(sighting.source)}:{sighting.first_line}"
    if sighting.times > 1:
        place += f"  {sighting.times} times, last on line {sighting.last_line}"
    yield dress(place, style, bold=True)
    yield dress("  " + excerpt(sighting), style, dim=True)


def excerpt(sighting: Sighting) -> str:
    """The line of the event that holds the best match, or else its last; masked, bounded."""
    lines = [line for line in sighting.text.splitlines() if line.strip()] or [""]
    best = sighting.best
    line = lines[-1]
    if best is not None and best.spans:
        start = min(span.start for span in best.spans)
        begin = sighting.text.rfind("\n", 0, start) + 1
        line = sighting.text[begin:].split("\n", 1)[0]
    shown = visible(mask_secrets(line.strip()))
    return shown if len(shown) <= _LONGEST_EXCERPT else shown[: _LONGEST_EXCERPT - 1] + "…"


def _best(group: list[Match], sighting: Sighting, setting: Setting) -> Iterator[str]:
    if len(group) > 1:
        said = f"{len(group)} records fit equally well:"
        yield dress(said, setting.style, bold=True, fg="yellow")
        yield ""
    for number, match in enumerate(group):
        if number:
            yield ""
        yield from _match(match, sighting, setting)


def _match(match: Match, sighting: Sighting, setting: Setting) -> Iterator[str]:
    style = setting.style
    fixes = setting.fixes(match.id)
    yield _name(match, fixes, setting)
    for line in visible(_headline(match)).split("\n"):
        yield from wrapped(line, "  ", style, bold=True)
    facts = [
        dress(match.severity, style, fg=_COLORS.get(match.severity)),
        f"score {match.score:.2f}",
    ]
    if not setting.log and "\n" in sighting.text.strip():
        facts.append(f"line {match.line}")
    reasons = visible("; ".join(match.reasons))
    yield from wrapped(" · ".join([*facts, reasons]), "  ", style)
    yield from _values(match, style)
    yield from _first_fix(match, fixes, style)
    yield "  " + dress(f"More: errdex show {match.id}{setting.options}", style, dim=True)


def _name(match: Match, fixes: Fixes | None, setting: Setting) -> str:
    """`id  owner/repo/slug`, each leading somewhere where links can be shown."""
    style = setting.style
    name = f"{match.repo}/{match.slug}"
    place = fixes.github_url if fixes else None
    shown_id = dress(match.id, style, bold=True, fg="green")
    if setting.site:
        address = page_address(setting.site, match.id, match.values)
        if not style.links:
            return f"{shown_id}  {name}  {visible(address)}"
        return f"{link(shown_id, address, style)}  {link(name, place or address, style)}"
    return f"{shown_id}  {link(name, place, style) if place else name}"


def _headline(match: Match) -> str:
    if match.error_class:
        return f"{match.error_class}: {match.error_message}"
    return match.error_message


def _values(match: Match, style: Style) -> Iterator[str]:
    if not match.values:
        return
    yield ""
    for name, value in match.values.items():
        first, *more = _bounded(visible(value)).split("\n")
        label = f"  {visible(name)} = "
        yield dress(label, style, fg="cyan") + first
        for line in more:
            yield " " * len(label) + line


def _bounded(value: str) -> str:
    lines = value.split("\n")
    short = "\n".join(lines[:_MOST_VALUE_LINES])[:_LONGEST_VALUE]
    left = len(value) - len(short)
    return f"{short} … ({left} more characters)" if left else short


def _first_fix(match: Match, fixes: Fixes | None, style: Style) -> Iterator[str]:
    if fixes is None or not fixes.solutions:
        return
    solutions = fixes.solutions
    shown = visible(fill(solutions[0].strip(), match.values, _flat))
    yield ""
    count = f" 1 of {len(solutions)}" if len(solutions) > 1 else ""
    yield "  " + dress(f"Fix{count}:", style, bold=True)
    for line in shown.split("\n"):
        yield from wrapped(line, "    ", style)


def _flat(value: str) -> str:
    return _bounded(" ".join(value.split()))


def _list(title: str, matches: list[Match], setting: Setting) -> Iterator[str]:
    """A line or two for each of the matches that are not the answer."""
    style = setting.style
    yield ""
    yield dress(title, style, bold=True)
    for match in matches:
        score = "    " if match.tier == "text" else f"{match.score:.2f}"
        yield f"  {match.id}  {score}  {match.repo}/{match.slug}"
        flat = " ".join(visible(_headline(match)).split())
        shown = flat if len(flat) <= _LONGEST_EXCERPT else flat[: _LONGEST_EXCERPT - 1] + "…"
        for line in wrapped(shown, " " * 26, style):
            yield dress(line, style, dim=True)
