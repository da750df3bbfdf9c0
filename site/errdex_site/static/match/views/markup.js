// Passes: HTML and Markdown links reduced to the text that a reader saw.

import { markup as K } from "../constants.js";
import { unescape } from "../html.js";
import { edit } from "./view.js";

export function stripHtml(view) {
  if (!view.text.includes("<") && !view.text.includes("&")) return view;
  return K.HTML_APPLIES.search(view.text) ? view.edited(htmlEdits(view.text)) : view;
}

function* htmlEdits(text) {
  for (const found of K.HTML.finditer(text)) {
    if (found.group(1) === undefined) {
      yield edit(found.start, found.end, "");
      continue;
    }
    const entity = "&" + found.group(1);
    const plain = unescape(entity);
    if (plain !== entity) yield edit(found.start, found.end, plain === "\xa0" ? " " : plain);
  }
}

export function stripLinks(view) {
  const { text } = view;
  return text.includes("](http") || text.includes("<http") ? view.edited(linkEdits(text)) : view;
}

function* linkEdits(text) {
  for (const found of K.LINK.finditer(text)) {
    const [start, end] = found.span(found.group(1) !== undefined ? 1 : 2);
    yield edit(found.start, start, "");
    yield edit(end, found.end, "");
  }
}

/** `my\\_ring` becomes `my_ring`; lines with Windows paths stay as they are. */
export function unescapeMarkdown(view) {
  if (!K.ESCAPED_SIGNS.some((sign) => view.text.includes(sign))) return view;
  return view.edited(signEdits(view.text));
}

function* signEdits(text) {
  let at = 0;
  for (const line of text.split("\n")) {
    if (line.includes("\\") && !K.FOLDERS.search(line)) {
      for (const sign of K.ESCAPED_SIGN.finditer(text, at, at + line.length)) yield edit(sign.start, sign.start + 1, "");
    }
    at += line.length + 1;
  }
}
