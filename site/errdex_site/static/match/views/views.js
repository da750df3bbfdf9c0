// A paste, read in a few alternative ways; the passes and their order are those of errdex/match/views.

import { cleanControls, closeUpLetters, dropLostEscapes } from "./controls.js";
import { stripHeads } from "./heads.js";
import { stripHtml, stripLinks, unescapeMarkdown } from "./markup.js";
import { stripPrefixes, stripRightColumn } from "./prefixes.js";
import { decodeEscapes, unescapeJson, unquoteCsv, unquotePython } from "./quoting.js";
import { dropBlankLines, splitStreams } from "./streams.js";
import { plainTypography } from "./typography.js";
import { View } from "./view.js";
import { joinHardWraps, joinSoftWraps } from "./wraps.js";

const CLEANING = [dropLostEscapes, closeUpLetters, stripHtml, stripLinks, unescapeMarkdown, plainTypography];
const LINES = [splitStreams, stripPrefixes, stripRightColumn, dropBlankLines];
const QUOTING = [unescapeJson, unescapeJson, unquoteCsv, unquotePython];

/** The readings of a paste, each once, the cleanest first. */
export function viewsOf(text) {
  const raw = new View(text);
  const controls = cleanControls(raw);
  const clean = through(CLEANING, controls);
  const lines = through(LINES, clean);
  let quoted = through(QUOTING, lines);
  if (quoted !== lines) quoted = dropLostEscapes(cleanControls(quoted)); // they were escaped in a string
  const unwrapped = joinHardWraps(clean);
  const hard = unwrapped !== clean ? through(LINES, unwrapped) : clean;
  const headless = withoutHeads(clean, lines);
  const found = [quoted, lines, clean, controls, raw, headless, hard];
  if (quoted !== lines) found.unshift(through(LINES, quoted));
  if (lines !== clean) found.push(joinHardWraps(lines));
  found.push(...[quoted, lines, hard].map(joinSoftWraps));
  if (headless !== lines) found.push(joinSoftWraps(headless));
  found.push(decodeEscapes(quoted));
  const seen = new Set();
  return found.filter((view) => !seen.has(view.text) && seen.add(view.text));
}

/** The views that parts of patterns are looked for in. */
export function viewsForParts(views) {
  return [views[0], ...views.slice(1).filter((view) => view.joins.length).slice(0, 2)];
}

/** The lines without what they share, before known prefixes are off and behind those. */
function withoutHeads(clean, lines) {
  const first = stripHeads(clean);
  return stripHeads(first !== clean ? through(LINES, first) : lines);
}

function through(passes, view) {
  return passes.reduce((before, pass) => pass(before), view);
}
