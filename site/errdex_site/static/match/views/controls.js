// Passes: what a terminal would have carried out: colors, cursor moves, backspaces, NULs.

import { controls as K } from "../constants.js";
import { strip } from "../text.js";
import { edit } from "./view.js";

export function cleanControls(view) {
  return K.APPLIES.search(view.text) ? view.edited(edits(view.text)) : view;
}

/** Colors of which only the letters are left, as in `[31merror[0m`, removed. */
export function dropLostEscapes(view) {
  if (!K.LOST_RESETS.some((reset) => view.text.includes(reset))) return view;
  return view.edited(Array.from(K.LOST_ESCAPE.finditer(view.text), ({ start, end }) => edit(start, end, "")));
}

/** 16-bit text whose NULs became blanks, `V a u l t   i s`, without every other blank. */
export function closeUpLetters(view) {
  return view.text.includes("   ") && view.text.includes("\n") ? view.edited(blanksBetweenLetters(view.text)) : view;
}

function* blanksBetweenLetters(text) {
  for (const line of K.SPACED_LINE.finditer(text)) {
    const signs = Array.from(line.text);
    if (!strip(signs.filter((_, k) => k % 2 === 0).join("")).includes(" ")) continue;
    let at = line.start;
    for (const [k, sign] of signs.entries()) {
      if (k % 2) yield edit(at, at + 1, "");
      at += sign.length;
    }
  }
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
