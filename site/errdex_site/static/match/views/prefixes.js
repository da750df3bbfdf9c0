// Pass: what loggers, process managers, containers and build tools put before a line.

import { prefixes as K } from "../constants.js";
import { head } from "../text.js";
import { edit } from "./view.js";

/** Where the prefix of a line ends; 0 if it has none. */
export function prefixEnd(line) {
  let at = 0;
  for (let times = 0; times < K.MOST_ATOMS; times++) {
    const atom = K.ATOM.match(line, at);
    if (!atom || atom.end === at) break;
    at = atom.end;
    if (K.TIME_BEFORE_HOST.match(atom.text)) at = K.HOST_AFTER_TIME.match(line, at)?.end ?? at;
  }
  return at;
}

export function stripPrefixes(view) {
  return view.edited(edits(view.text));
}

function isBoxed(inside) {
  return K.RIGHT_EDGES.some((edge) => inside.endsWith(edge)) && !inside.includes(K.BETWEEN_CELLS);
}

/** Without the file and line at the right edge that a logger puts behind its first lines. */
export function stripRightColumn(view) {
  if (!view.text.includes(".py:")) return view;
  return view.edited(Array.from(K.RIGHT_COLUMN.finditer(view.text), ({ start, end }) => edit(start, end, "")));
}

function* edits(text) {
  for (const { start } of K.ATOM_LINES.finditer(text)) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    const line = head(text.slice(start, end), K.LONGEST_PREFIX);
    let cut = prefixEnd(line);
    if (!cut) continue;
    if (line.startsWith(" ", cut)) cut += 1;
    yield edit(start, start + cut, "");
    if (K.BOX.includes(line[0]) && isBoxed(text.slice(start + cut, end))) {
      let inside = end - 1;
      while (inside > start + cut && text[inside - 1] === " ") inside -= 1;
      yield edit(inside, end, "");
    }
  }
}
