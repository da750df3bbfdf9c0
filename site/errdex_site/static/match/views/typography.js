// Pass: what mail programs and word processors make of quotes, dashes and blanks.

import { typography as K } from "../constants.js";
import { Expression } from "../expression.js";
import { edit } from "./view.js";

const FANCY = new Expression(new RegExp(`[${[...K.PLAIN.keys()].join("")}]`, "u"));

export function plainTypography(view) {
  const decoded = view.edited(edits(K.ENCODED, K.TWICE_ENCODED, view.text));
  return decoded.edited(edits(FANCY, K.PLAIN, decoded.text));
}

function* edits(expression, plain, text) {
  for (const found of expression.finditer(text)) yield edit(found.start, found.end, plain.get(found.text));
}
