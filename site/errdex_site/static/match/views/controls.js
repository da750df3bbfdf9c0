// Pass: what a terminal would have carried out: colors, cursor moves, backspaces, NULs.

import { controls as K } from "../constants.js";
import { edit } from "./view.js";

export function cleanControls(view) {
  return K.APPLIES.search(view.text) ? view.edited(edits(view.text)) : view;
}

function* edits(text) {
  for (const token of K.TOKEN.finditer(text)) {
    const { start, end } = token;
    if (token.group("restart")) {
      yield edit(start, end, ["", "\n", "\r"].includes(text.slice(start - 1, start)) || start === 0 ? "" : "\n");
    } else if (token.group("break")) {
      yield edit(start, end, "\n");
    } else {
      yield edit(start, end, "");
    }
  }
}
