// Pass: interleaved processes told apart, so that each one's lines follow each other.

import { streams as K } from "../constants.js";
import { count } from "../text.js";
import { edit } from "./view.js";

export function splitStreams(view) {
  if (!view.text.includes("\n") || !hasTwoTags(view.text)) return view;
  const order = new Map();
  let turns = 0;
  let last = "";
  for (const [start, end] of lineSpans(view.text)) {
    const tag = K.TAG.match(view.text, start, end)?.text ?? last;
    if (tag !== last) turns += 1;
    last = tag;
    if (!order.has(tag)) order.set(tag, []);
    order.get(tag).push([start, end]);
  }
  const tagged = order.size - (order.has("") ? 1 : 0);
  if (tagged < 2 || turns <= order.size) return view;
  const parts = [];
  for (const lines of order.values()) {
    for (const [start, end] of lines) parts.push(edit(start, end), edit(end, end, "\n"));
  }
  return view.assembled(parts.slice(0, -1));
}

/** A quick test that spares texts without streams the look at each line. */
function hasTwoTags(text) {
  const first = K.TAGS.search(text);
  if (!first) return false;
  for (const tag of K.TAGS.finditer(text)) if (tag.text !== first.text) return true;
  return false;
}

export function dropBlankLines(view) {
  const lines = count(view.text, "\n") + 1;
  if (lines < 5 || !view.text.includes("\n\n")) return view;
  const blanks = Array.from(K.BLANK_LINES.finditer(view.text));
  const blank = blanks.reduce((sum, found) => sum + count(found.text, "\n"), 0);
  if (blank * 5 < lines * 2) return view;
  const kept = (found) => "\n".repeat((count(found.text, "\n") - 1) >> 1);
  return view.edited(blanks.map((found) => edit(found.start, found.end, kept(found))));
}

function lineSpans(text) {
  const spans = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    spans.push([start, end]);
    start = end + 1;
  }
  return [...spans, [start, text.length]];
}
