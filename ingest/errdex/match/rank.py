"""How good an answer a record is: bits of evidence, added up, with their reasons.

The literals say most. What else the text tells (class, code, frames, repo) decides
between records with the same or similar messages. A score is 1 - 2 ** (-bits / 20):
half at 20 bits, nine tenths at 66; it does not depend on the other records.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from errdex.match.evidence import Place, Scene, class_bits
from errdex.match.finding import Finding
from errdex.match.partial import LEAST_COVERAGE
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
CODE_BITS = 8.0
RETIRED_BITS = 1.0
ENOUGH_PARTIAL_BITS = 18.0
ENOUGH_COVERAGE = 0.55
ENOUGH_EXPLAINED_COVERAGE = 0.3
"""Where what is missing was cut off, or the class, code or frame agrees."""
ENOUGH_TO_BE_SHORT = 24.0
"""A cut message that says so much may be a small part of a long one."""
ENOUGH_ALONE = 0.45
"""Where what is missing was cut off, and the rest is all of its line: then as much is enough
as of a whole message."""
SITE_BITS = 14.0
"""A frame that can hardly be another's raise site: its line and a folder more than the file's
name, or four folders and a line close by."""
MOST_EVIDENCE = 55.0
"""More than class, code, frame and repo can add together."""


class Verdict(NamedTuple):
    """The evidence for one record."""

    bits: float
    literal_bits: float
    class_bits: float
    coded: bool
    """The record's code is in the text."""
    frame_bits: float
    frame: str | None
    """The stack frame that fits the record's raise site best."""
    repo_bits: float

    @property
    def score(self) -> float:
        """From 0 to 1."""
        return round(1.0 - math.exp2(-max(0.0, self.bits) / SCALE), 4)

    @property
    def agrees(self) -> bool:
        """The class, the code or a frame speaks for the record."""
        return self.class_bits >= 10 or self.coded or self.frame_bits >= 8


def judge(row: RecordRow, scene: Scene, place: Place, literal_bits: float) -> Verdict:
    """Add up the evidence for a record whose message was found at a place of the scene."""
    of_class = class_bits(place.stated_class, row.error_class)
    code = row.error_code
    coded = bool(code and len(code) >= 3 and scene.holds_code(code))
    of_frame, frame = 0.0, None
    if scene.frames or scene.logged:
        of_frame, frame = scene.frame_bits(place, row.file_path, row.line_number)
    of_repo = scene.repo_bits(place, row.repo, row.file_path)
    bits = min(literal_bits, MOST_LITERAL_BITS)
    bits += BEGINS_LINE_BITS * place.begins_line + ENDS_LINE_BITS * place.ends_line
    bits += of_class + CODE_BITS * coded
    bits += of_frame + of_repo
    if row.retired_at:
        bits -= RETIRED_BITS
    return Verdict(bits, literal_bits, of_class, coded, of_frame, frame, of_repo)


def reasons(verdict: Verdict, row: RecordRow, place: Place, said: str) -> list[str]:
    """The evidence in words, for people."""
    told = [said]
    if verdict.class_bits > 0:
        told.append(f"its class {row.error_class} stands before it")
    elif verdict.class_bits < 0:
        told.append(f"another class, {place.stated_class}, stands before it")
    if verdict.coded:
        told.append(f"its code {row.error_code} is in the text")
    if verdict.frame:
        told.append(f"raised where frame {verdict.frame} points")
    if verdict.repo_bits > 0:
        told.append(f"the text names {row.repo}")
    if row.retired_at:
        told.append("no longer raised by its repo")
    return told


def is_answer(verdict: Verdict, finding: Finding, place: Place) -> bool:
    """Whether this may be presented as an answer, rather than as a weak hint."""
    if finding.tier == "exact" or finding.emptied:
        if verdict.literal_bits >= ENOUGH_LITERAL_BITS:
            return True
        if finding.begins_with_words and place.begins_line and place.ends_line:
            return verdict.literal_bits >= ENOUGH_AS_LINE
        sure = verdict.agrees or finding.whole
        return verdict.literal_bits >= ENOUGH_WITH_EVIDENCE and sure
    explained = finding.cut or verdict.agrees
    least = ENOUGH_EXPLAINED_COVERAGE if explained else ENOUGH_COVERAGE
    if finding.cut and (verdict.agrees or verdict.literal_bits >= ENOUGH_TO_BE_SHORT):
        least = LEAST_COVERAGE
    alone = finding.cut and finding.coverage >= ENOUGH_ALONE and finding.fills_line
    enough = ENOUGH_LITERAL_BITS if verdict.agrees or alone else ENOUGH_PARTIAL_BITS
    if verdict.frame_bits >= SITE_BITS:
        enough = ENOUGH_WITH_EVIDENCE
    return verdict.literal_bits >= enough and finding.coverage >= least
