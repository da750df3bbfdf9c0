// Pass: what the lines of one program begin with, whatever it is, told by its repetition.

import { heads as K } from "../constants.js";
import { count, head, strip } from "../text.js";
import { edit } from "./view.js";

/** Lines grouped by their tags where these take turns, each without what its group shares. */
export function stripHeads(view) {
  const { text } = view;
  const breaks = count(text, "\n");
  if (!breaks || breaks > K.MOST_LINES) return view;
  const groups = new Map();
  for (const word of K.FIRST_WORD.finditer(text)) {
    if (!groups.has(word.text)) groups.set(word.text, []);
    groups.get(word.text).push(word.start);
  }
  const lines = text.split("\n").filter((line) => strip(line)).length;
  if (takeTurns(groups, lines)) return view.assembled([...parts(text, groups)]);
  const edits = [];
  for (const [word, starts] of groups) {
    const many = starts.length >= K.FEWEST || (starts.length >= 2 && starts.length === lines);
    if (!many || !K.TAG.match(word)) continue;
    const cut = sharedHead(text, starts);
    for (const start of starts) edits.push(edit(start, start + cut, ""));
  }
  return view.edited(edits.sort((a, b) => a.start - b.start));
}

/** Whether every line has one of a few tags that differ in their numbers only, or end in the same
 * sign, and these change more often than they would if each came once. */
function takeTurns(groups, lines) {
  const all = [...groups].flatMap(([word, starts]) => starts.map((start) => [start, word]));
  if (groups.size < 2 || groups.size > K.MOST_TAGS || all.length !== lines) return false;
  if ([...groups.values()].some((starts) => starts.length < 2)) return false;
  const words = [...groups.keys()];
  const alike = new Set(words.map((word) => K.DIGITS.replaceAll(word, "0"))).size === 1;
  if (!alike && !K.SIGN_ENDS.some((sign) => words.every((word) => word.endsWith(sign)))) return false;
  all.sort((a, b) => a[0] - b[0]);
  return all.slice(1).filter(([, word], k) => word !== all[k][1]).length >= groups.size;
}

/** How much the lines that begin at `starts` share, up to behind a blank. */
function sharedHead(text, starts) {
  let shared = lineAt(text, starts[0]);
  for (const start of starts.slice(1)) {
    const line = lineAt(text, start);
    let size = 0;
    while (size < line.length && size < shared.length && line[size] === shared[size]) size++;
    shared = shared.slice(0, size);
  }
  return shared.lastIndexOf(" ") + 1;
}

function lineAt(text, start) {
  const end = text.indexOf("\n", start);
  return head(text.slice(start, end < 0 ? undefined : end), K.LONGEST_HEAD);
}

function* parts(text, groups) {
  let first = true;
  for (const starts of groups.values()) {
    const cut = sharedHead(text, starts);
    for (const start of starts) {
      let end = text.indexOf("\n", start);
      if (end < 0) end = text.length;
      if (!first) yield edit(start, start, "\n");
      first = false;
      yield edit(Math.min(start + cut, end), end);
    }
  }
}
