// Candidates tried on the views of a text, as errdex/match/finding.py does.

import { finding as K, partial as P } from "./constants.js";
import { distinctBoundaryKeys, folded } from "./keys.js";
import { align, relaxed } from "./partial.js";
import { length, round, strip } from "./text.js";
import { completed } from "./values.js";
import { occurrences } from "./verify.js";

/** The stretches of an occurrence outside its groups. */
export function literalSpans(occurrence) {
  const spans = [];
  let at = occurrence.start;
  for (const [start, end] of occurrence.groups) {
    if (start >= at) {
      spans.push([at, start]);
      at = end;
    }
  }
  return [...spans, [at, Math.max(at, occurrence.end)]];
}

/** Whether the pattern does not begin with a group. */
export function beginsWithWords(finding) {
  const { pieces } = finding.row.pattern;
  return pieces.length > 0 && K.LETTER.search(pieces[0]) !== null;
}

/** Whether its line or lines have little beside it, and none of its values spans lines. */
export function fillsLine({ view: { text }, occurrence }) {
  if (valuesOf(text, occurrence).includes("\n")) return false;
  const lineStart = occurrence.start > 0 ? text.lastIndexOf("\n", occurrence.start - 1) + 1 : 0;
  let lineEnd = text.indexOf("\n", occurrence.end);
  if (lineEnd < 0) lineEnd = text.length;
  return (
    length(text.slice(lineStart, occurrence.start)) <= P.SLACK && length(text.slice(occurrence.end, lineEnd)) <= P.SLACK
  );
}

function valuesOf(text, occurrence) {
  return occurrence.groups.map(([start, end]) => (start >= 0 ? text.slice(start, end) : "")).join("");
}

/** Every pattern that matches any of the views, where it says most. */
export function findExact(rows, views) {
  const findings = [];
  for (const row of rows) {
    let best = null;
    for (const view of views) {
      if (!view.text.includes(row.probe)) continue;
      for (const occurrence of occurrences(row.pattern, view.text)) {
        const found = exact(row, view, completed(row.pattern, view, occurrence));
        if (!best || found.literalBits > best.literalBits) best = found;
      }
      if (best && best.literalBits === row.bits) break;
    }
    if (best) findings.push(best);
  }
  return findings;
}

function exact(row, view, occurrence) {
  const [factor, said] = quality(view, occurrence);
  const whole = isWhole(view.text, occurrence);
  const literalBits = row.bits * factor;
  return { row, view, occurrence, tier: "exact", coverage: 1, literalBits, said, whole, cut: false };
}

function quality(view, occurrence) {
  if (inSource(view.text, occurrence)) return [K.SOURCE_FACTOR, "its template stands in the source code shown"];
  if (view.joins.some((at) => occurrence.groups.some(([start, end]) => start < at && at < end))) {
    return [K.JOINED_FACTOR, "the whole message is there, over joined lines"];
  }
  return [1, "the whole message is there"];
}

function inSource(text, occurrence) {
  for (const [start, end] of occurrence.groups) {
    if (start >= 0 && K.EXPRESSION.search(text, start, end)) return true;
  }
  const before = occurrence.start > 0 ? text[occurrence.start - 1] : "";
  if (!before || !K.CODE_QUOTE.includes(before)) return false;
  const lineStart = text.lastIndexOf("\n", occurrence.start - 1) + 1;
  return Boolean(K.RAISING.search(text, lineStart, occurrence.start));
}

function isWhole(text, occurrence) {
  let literal = length(text.slice(occurrence.start, occurrence.end));
  for (const [start, end] of occurrence.groups) literal -= length(text.slice(start, end));
  return literal * 2 >= length(strip(text));
}

/** Keys of what telling exact matches explain: of their literals, and of the whole line that
    consists mostly of them. */
export function explainedKeys(findings) {
  const explained = new Set();
  for (const finding of findings) {
    if (finding.literalBits < K.ENOUGH_TO_EXPLAIN) continue;
    for (const text of explainedTexts(finding)) distinctBoundaryKeys(folded(text), explained);
  }
  return explained;
}

function explainedTexts({ view: { text }, occurrence }) {
  const spans = literalSpans(occurrence);
  const start = text.lastIndexOf("\n", occurrence.start - 1) + 1;
  let end = text.indexOf("\n", occurrence.end);
  if (end < 0) end = text.length;
  let inside = 0;
  for (const [first, last] of spans) inside += last - first;
  if (inside >= K.MOSTLY * (end - start)) return [text.slice(Math.max(0, (occurrence.start ? start : 0) - 1), end)];
  return spans.map(([first, last]) => text.slice(Math.max(0, first - 1), last));
}

/** Patterns of which a good part lies in one of the views, in order. */
export function findPartial(rows, views, thorough) {
  const findings = [];
  for (const row of rows) {
    if (!row.pattern.pieces.length) continue;
    let best = null;
    for (const view of views) {
      const found = partial(row, view, thorough);
      if (found && (!best || found.literalBits > best.literalBits)) best = found;
    }
    if (best && best.literalBits >= K.LEAST_PART) findings.push(best);
  }
  return findings;
}

function partial(row, view, thorough) {
  let best = null;
  let alignments = relaxed(row.pattern, view.text);
  if (!alignments.length) alignments = align(row.pattern, view.text, thorough);
  for (const alignment of alignments) {
    const [factor, said] = partialQuality(view, alignment);
    const { coverage, cut } = alignment;
    const occurrence = completed(row.pattern, view, alignment.occurrence);
    const literalBits = row.bits * coverage * factor;
    const emptied = alignment.whole && !valuesOf(view.text, alignment.occurrence).includes("\n");
    const whole = emptied && isWhole(view.text, occurrence);
    const found = { row, view, occurrence, tier: "partial", coverage, literalBits, said, whole, cut, emptied };
    if (!best || found.literalBits > best.literalBits) best = found;
  }
  return best;
}

function partialQuality(view, alignment) {
  if (inSource(view.text, alignment.occurrence)) {
    return [K.SOURCE_FACTOR, "its template stands in the source code shown"];
  }
  if (alignment.coverage === 1 && alignment.whole) {
    return [K.RELAXED_FACTOR, "all its words are there; a value is empty or spans lines"];
  }
  const share = `${round(alignment.coverage * 100, 0)}% of its words are there, in order`;
  if (alignment.coverage === 1) return [K.LOOSE_FACTOR, `${share}; something else stands between them`];
  if (alignment.cut) return [K.CUT_FACTOR, `${share}; the rest is cut off`];
  return [K.PARTIAL_FACTOR * alignment.coverage, share];
}
