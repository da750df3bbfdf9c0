// A paste, read in a few alternative ways; the passes and their order are those of errdex/match/views.

import { cleanControls } from "./controls.js";
import { stripHtml, stripLinks } from "./markup.js";
import { stripPrefixes } from "./prefixes.js";
import { unescapeJson, unquoteCsv, unquotePython } from "./quoting.js";
import { dropBlankLines, splitStreams } from "./streams.js";
import { plainTypography } from "./typography.js";
import { View } from "./view.js";
import { joinHardWraps, joinSoftWraps } from "./wraps.js";

const CLEANING = [stripHtml, stripLinks, plainTypography];
const LINES = [splitStreams, stripPrefixes, dropBlankLines];
const QUOTING = [unescapeJson, unescapeJson, unquoteCsv, unquotePython];

/** The readings of a paste, each once, the cleanest first. */
export function viewsOf(text) {
  const raw = new View(text);
  const controls = cleanControls(raw);
  const clean = through(CLEANING, controls);
  const lines = through(LINES, clean);
  const quoted = through(QUOTING, lines);
  const unwrapped = joinHardWraps(clean);
  const hard = unwrapped !== clean ? through(LINES, unwrapped) : clean;
  const found = [quoted, lines, clean, controls, raw, hard];
  found.push(...[quoted, lines, hard].map(joinSoftWraps));
  const seen = new Set();
  return found.filter((view) => !seen.has(view.text) && seen.add(view.text));
}

/** The views that parts of patterns are looked for in. */
export function viewsForParts(views) {
  return [views[0], ...views.slice(1).filter((view) => view.joins.length).slice(0, 2)];
}

function through(passes, view) {
  return passes.reduce((before, pass) => pass(before), view);
}
