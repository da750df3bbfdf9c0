// Passes: lines that something broke, joined again.

import { wraps as K } from "../constants.js";
import { length, lstrip, strip } from "../text.js";
import { edit } from "./view.js";

export function joinHardWraps(view) {
  const lines = view.text.split("\n");
  if (lines.length < 2) return view;
  let width = 0;
  for (const line of lines) width = Math.max(width, length(line));
  let full = 0;
  for (const line of lines.slice(0, -1)) if (length(line) === width) full += 1;
  if (width < K.NARROWEST || !full || (full < 2 && !K.USUAL_WIDTHS.has(width))) return view;
  return view.edited(edits(lines, (line, after) => length(line) === width && after !== "", ""), true);
}

export function joinSoftWraps(view) {
  if (!view.text.includes("\n")) return view;
  return view.edited(edits(view.text.split("\n"), continues, " "), true);
}

function continues(line, after) {
  const word = firstWord(after);
  const size = length(line);
  if (size < K.SHORTEST_WRAPPED || !word || !strip(line)) return false;
  return size + 1 + length(word) >= length(strip(after));
}

function firstWord(text) {
  return /^[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*/.exec(lstrip(text))[0];
}

function* edits(lines, joins, between) {
  let at = 0;
  for (let k = 0; k + 1 < lines.length; k++) {
    const line = lines[k];
    const after = lines[k + 1];
    at += line.length;
    if (joins(line, after)) {
      let indent = after.length - after.replace(/^[ \t]+/, "").length;
      if (!between && !line.startsWith(after.slice(0, indent))) indent = 0;
      yield edit(at, at + 1 + indent, line.endsWith(" ") ? "" : between);
    }
    at += 1;
  }
}
