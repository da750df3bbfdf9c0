// Pass: HTML and Markdown links reduced to the text that a reader saw.

import { markup as K } from "../constants.js";
import { unescape } from "../html.js";
import { edit } from "./view.js";

export function stripHtml(view) {
  if (!view.text.includes("<") && !view.text.includes("&")) return view;
  return K.HTML_APPLIES.search(view.text) ? view.edited(htmlEdits(view.text)) : view;
}

function* htmlEdits(text) {
  for (const found of K.HTML.finditer(text)) {
    const entity = found.group(1);
    if (entity === undefined) {
      yield edit(found.start, found.end, "");
      continue;
    }
    const plain = unescape(entity);
    if (plain !== entity) yield edit(found.start, found.end, plain === "\xa0" ? " " : plain);
  }
}

export function stripLinks(view) {
  return view.text.includes("](http") ? view.edited(linkEdits(view.text)) : view;
}

function* linkEdits(text) {
  for (const found of K.LINK.finditer(text)) {
    const [start, end] = found.span(1);
    yield edit(found.start, start, "");
    yield edit(end, found.end, "");
  }
}
