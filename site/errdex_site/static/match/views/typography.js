// Pass: what mail programs and word processors make of quotes, dashes and blanks.

import { typography as K } from "../constants.js";
import { Expression } from "../expression.js";
import { edit } from "./view.js";

const FANCY = new Expression(new RegExp(`[${[...K.PLAIN.keys()].join("")}]`, "u"));

export function plainTypography(view) {
  return view.edited(edits(view.text));
}

function* edits(text) {
  for (const found of FANCY.finditer(text)) yield edit(found.start, found.end, K.PLAIN.get(found.text));
}
