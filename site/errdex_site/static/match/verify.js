// Does a pattern match a text, and where, as errdex/match/verify.py does.

import { find, rfind } from "./text.js";

const LIMIT = 8;

let linear = null;

/** True if trying the pattern needs the engine for other expressions, which `useLinear` brings. */
export function needsLinear(pattern) {
  return !linear && pattern.kind !== "X" && (pattern.greedy || !pattern.pieces.length);
}

export function useLinear(engine) {
  linear = engine;
}

/** The first matches: {start, end, groups}, groups as [start, end] pairs. */
export function occurrences(pattern, text, limit = LIMIT) {
  if (!pattern.pieces.length) return pattern.kind === "X" ? [] : byEngine(pattern, text, limit);
  const found = [];
  let at = 0;
  while (found.length < limit) {
    const occurrence = findPieces(pattern.pieces, pattern.gaps, text, at);
    if (!occurrence) break;
    found.push(occurrence);
    if (occurrence.end === occurrence.start) break;
    at = occurrence.start + Math.max(1, pattern.pieces[0].length);
    if (!pattern.pieces[0]) at = Math.max(at, occurrence.end);
  }
  if (found.length && pattern.greedy && pattern.kind !== "X") return byEngine(pattern, text, limit);
  return found.filter((occurrence) => occurrence.end > occurrence.start);
}

function findPieces(pieces, gaps, text, at) {
  const k = pieces.findIndex(Boolean);
  const first = Math.max(0, k);
  let least = 0;
  for (let i = 0; i < first; i++) least += gaps[i];
  for (;;) {
    let start = find(text, pieces[first], at + least);
    if (start < 0) return null;
    if (first) start = Math.max(at, rfind(text, "\n", at, start) + 1);
    const [occurrence, lineEnd] = chain(pieces, gaps, text, start);
    if (occurrence) return occurrence;
    if (lineEnd < 0) return null;
    at = lineEnd + 1;
  }
}

function chain(pieces, gaps, text, start) {
  if (pieces[0] && !text.startsWith(pieces[0], start)) return [null, text.indexOf("\n", start)];
  let position = start + pieces[0].length;
  let end = lineEnd(text, position);
  const groups = [];
  for (let i = 1; i < pieces.length; i++) {
    const piece = pieces[i];
    const found = find(text, piece, position + gap(text, position, gaps[i - 1]), end + piece.length);
    if (found < 0 || found > end) return [null, text.indexOf("\n", start)];
    groups.push([position, found]);
    position = found + piece.length;
    if (position > end) end = lineEnd(text, position);
  }
  return [{ start, end: position, groups }, -1];
}

/** UTF-16 units of the characters that a group takes at least. */
function gap(text, position, least) {
  return least && text.codePointAt(position) > 0xffff ? 2 : least;
}

function lineEnd(text, position) {
  const end = text.indexOf("\n", position);
  return end < 0 ? text.length : end;
}

function byEngine(pattern, text, limit) {
  const found = [];
  for (const occurrence of linear(pattern.source, text)) {
    if (occurrence.end > occurrence.start) found.push(occurrence);
    if (found.length === limit) break;
  }
  return found;
}
