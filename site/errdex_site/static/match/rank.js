// How good an answer a record is: bits of evidence, added up, as errdex/match/rank.py.

import { partial as P, rank as K } from "./constants.js";
import { classBits } from "./evidence.js";
import { beginsWithWords, fillsLine } from "./finding.js";
import { length, round } from "./text.js";

/** The evidence for a record whose message was found at a place of the scene. */
export function judge(row, scene, place, literalBits, said) {
  const verdict = { bits: Math.min(literalBits, K.MOST_LITERAL_BITS), literalBits, agrees: false, frameBits: 0, reasons: [said] };
  if (place.beginsLine) verdict.bits += K.BEGINS_LINE_BITS;
  if (place.endsLine) verdict.bits += K.ENDS_LINE_BITS;
  byClass(verdict, row, place.statedClass);
  byCode(verdict, row, scene);
  if (scene.frames.length || scene.logged.length) byFrames(verdict, row, scene, place);
  byRepo(verdict, row, scene, place);
  if (row.retired) {
    verdict.bits -= 1;
    verdict.reasons.push("no longer raised by its repo");
  }
  return verdict;
}

/** From 0 to 1. */
export function score(verdict) {
  return round(1 - 2 ** (-Math.max(0, verdict.bits) / K.SCALE), 4);
}

function byClass(verdict, row, stated) {
  const bits = classBits(stated, row.errorClass);
  verdict.bits += bits;
  if (bits > 0) {
    verdict.agrees ||= bits >= 10;
    verdict.reasons.push(`its class ${row.errorClass} stands before it`);
  } else if (bits < 0) {
    verdict.reasons.push(`another class, ${stated}, stands before it`);
  }
}

function byCode(verdict, row, scene) {
  const code = row.errorCode;
  if (code && length(code) >= 3 && scene.holdsCode(code)) {
    verdict.bits += 8;
    verdict.agrees = true;
    verdict.reasons.push(`its code ${code} is in the text`);
  }
}

function byFrames(verdict, row, scene, place) {
  const [frameBits, frame] = scene.frameBits(place, row.filePath, row.lineNumber);
  verdict.frameBits = frameBits;
  if (frame) {
    verdict.bits += frameBits;
    verdict.agrees ||= frameBits >= 8;
    verdict.reasons.push(`raised where frame ${frame} points`);
  }
}

function byRepo(verdict, row, scene, place) {
  const bits = scene.repoBits(place, row.repo, row.filePath);
  verdict.bits += bits;
  if (bits > 0) verdict.reasons.push(`the text names ${row.repo}`);
}

/** Whether this may be presented as an answer, rather than as a weak hint. */
export function isAnswer(verdict, finding, place) {
  if (finding.tier === "exact" || finding.emptied) {
    if (verdict.literalBits >= K.ENOUGH_LITERAL_BITS) return true;
    if (beginsWithWords(finding) && place.beginsLine && place.endsLine) {
      return verdict.literalBits >= K.ENOUGH_AS_LINE;
    }
    return verdict.literalBits >= K.ENOUGH_WITH_EVIDENCE && (verdict.agrees || finding.whole);
  }
  let least = finding.cut || verdict.agrees ? K.ENOUGH_EXPLAINED_COVERAGE : K.ENOUGH_COVERAGE;
  if (finding.cut && (verdict.agrees || verdict.literalBits >= K.ENOUGH_TO_BE_SHORT)) least = P.LEAST_COVERAGE;
  const alone = finding.cut && finding.coverage >= K.ENOUGH_ALONE && fillsLine(finding);
  let enough = verdict.agrees || alone ? K.ENOUGH_LITERAL_BITS : K.ENOUGH_PARTIAL_BITS;
  if (verdict.frameBits >= K.SITE_BITS) enough = K.ENOUGH_WITH_EVIDENCE;
  return verdict.literalBits >= enough && finding.coverage >= least;
}
