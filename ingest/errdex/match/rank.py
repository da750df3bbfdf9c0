"""How good an answer a record is: bits of evidence, added up, with their reasons.

The literals say most. What else the text tells (class, code, frames, repo) decides
between records with the same or similar messages. A score is 1 - 2 ** (-bits / 20):
half at 20 bits, nine tenths at 66; it does not depend on the other records.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from errdex.match.evidence import Place, Scene, class_bits
from errdex.match.finding import Finding
from errdex.match.rows import RecordRow

SCALE = 20.0
"""Bits that halve the doubt."""
MOST_LITERAL_BITS = 90.0
ENOUGH_LITERAL_BITS = 12.0
"""An exact match that says at least so much is an answer by itself."""
ENOUGH_WITH_EVIDENCE = 4.0
"""So little is enough where the class before the message, its code or its frame agree."""
ENOUGH_AS_LINE = 6.0
"""So little is enough for a message that is all of its line and begins with its own words."""
BEGINS_LINE_BITS = 3.0
ENDS_LINE_BITS = 1.0
ENOUGH_PARTIAL_BITS = 18.0
ENOUGH_COVERAGE = 0.55
ENOUGH_EXPLAINED_COVERAGE = 0.3
"""Where what is missing was cut off, or the class, code or frame agrees."""
SOURCE_FACTOR = 0.6
"""A message template within source code is a weaker sign than the message itself."""


@dataclass
class Verdict:
    """The evidence for one record."""

    bits: float = 0.0
    literal_bits: float = 0.0
    agrees: bool = False
    """The class, the code or a frame speaks for the record."""
    reasons: list[str] = field(default_factory=list)

    @property
    def score(self) -> float:
        """From 0 to 1."""
        return round(1.0 - math.exp2(-max(0.0, self.bits) / SCALE), 4)


MOST_EVIDENCE = 55.0
"""More than class, code, frame and repo can add together."""


def judge(row: RecordRow, scene: Scene, place: Place, literal_bits: float, said: str) -> Verdict:
    """Add up the evidence for a record whose message was found at a place of the scene."""
    verdict = Verdict(literal_bits=literal_bits)
    verdict.bits = min(literal_bits, MOST_LITERAL_BITS)
    verdict.reasons.append(said)
    verdict.bits += BEGINS_LINE_BITS * place.begins_line + ENDS_LINE_BITS * place.ends_line
    _class(verdict, row, place.stated_class)
    _code(verdict, row, scene)
    if scene.frames:
        _frames(verdict, row, scene, place)
    if row.retired_at:
        verdict.bits -= 1.0
        verdict.reasons.append("no longer raised by its repo")
    return verdict


def _class(verdict: Verdict, row: RecordRow, stated: str | None) -> None:
    bits = class_bits(stated, row.error_class)
    verdict.bits += bits
    if bits > 0:
        verdict.agrees = verdict.agrees or bits >= 10
        verdict.reasons.append(f"its class {row.error_class} stands before it")
    elif bits < 0:
        verdict.reasons.append(f"another class, {stated}, stands before it")


def _code(verdict: Verdict, row: RecordRow, scene: Scene) -> None:
    code = row.error_code
    if code and len(code) >= 3 and scene.holds_code(code):
        verdict.bits += 8.0
        verdict.agrees = True
        verdict.reasons.append(f"its code {code} is in the text")


def _frames(verdict: Verdict, row: RecordRow, scene: Scene, place: Place) -> None:
    bits, frame = scene.frame_bits(place, row.file_path, row.line_number)
    if frame:
        verdict.bits += bits
        verdict.agrees = verdict.agrees or bits >= 8
        verdict.reasons.append(f"raised where frame {frame} points")
    bits = scene.repo_bits(row.repo, row.file_path)
    verdict.bits += bits
    if bits > 0:
        verdict.reasons.append(f"the frames name {row.repo}")


def is_answer(verdict: Verdict, finding: Finding, place: Place) -> bool:
    """Whether this may be presented as an answer, rather than as a weak hint."""
    if finding.tier == "exact":
        if verdict.literal_bits >= ENOUGH_LITERAL_BITS:
            return True
        if finding.begins_with_words and place.begins_line and place.ends_line:
            return verdict.literal_bits >= ENOUGH_AS_LINE
        sure = verdict.agrees or finding.whole
        return verdict.literal_bits >= ENOUGH_WITH_EVIDENCE and sure
    explained = finding.cut or verdict.agrees
    least = ENOUGH_EXPLAINED_COVERAGE if explained else ENOUGH_COVERAGE
    enough = ENOUGH_LITERAL_BITS if verdict.agrees else ENOUGH_PARTIAL_BITS
    return verdict.literal_bits >= enough and finding.coverage >= least
