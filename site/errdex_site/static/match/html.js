// HTML's character references, as Python's html.unescape replaces them.

const COMMON = { "amp;": "&", "lt;": "<", "gt;": ">", "quot;": '"', "apos;": "'", "nbsp;": "\xa0" };
const WINDOWS = "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

let known = COMMON;

/** True if the text names a character that is not among the few common ones. */
export function needsNames(text) {
  for (const [, name] of text.matchAll(/&(?:amp;){0,3}([a-zA-Z]{2,8};)/g)) if (!(name in COMMON)) return true;
  return false;
}

/** Use the full table of names from now on. */
export function useNames(names) {
  known = names;
}

/** The text that one reference stands for; itself where it stands for none. */
export function unescape(reference) {
  const inside = reference.slice(1);
  if (inside[0] === "#") {
    const hex = inside[1] === "x" || inside[1] === "X";
    return character(Number.parseInt(inside.slice(hex ? 2 : 1), hex ? 16 : 10)) ?? reference;
  }
  if (inside in known) return known[inside];
  for (let end = inside.length - 1; end > 1; end--) {
    if (inside.slice(0, end) in known) return known[inside.slice(0, end)] + inside.slice(end);
  }
  return reference;
}

function character(code) {
  if (Number.isNaN(code)) return undefined;
  if (code === 0) return "\ufffd";
  if (code === 0x0d) return "\r";
  if (code >= 0x80 && code < 0xa0) return WINDOWS[code - 0x80];
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return "\ufffd";
  const low = code & 0xffff;
  const invalid = (code >= 1 && code <= 8) || (code >= 0xe && code <= 0x1f) || (code >= 0x7f && code <= 0x9f) || code === 0xb;
  if (invalid || (code >= 0xfdd0 && code <= 0xfdef) || low === 0xfffe || low === 0xffff) return "";
  return String.fromCodePoint(code);
}
