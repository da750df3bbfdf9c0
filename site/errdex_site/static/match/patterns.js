// One messagePattern, analysed, as errdex/patterns.py does.

import { patterns as K } from "./constants.js";

const META = /[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g;
const SYNTAX = /[\^$.*+?()[\]{}|\\]/g;

/** A pattern of the index: kind, pieces, gaps and literals. */
export function restore(source, kind, standIn) {
  const plain = wildcards(standIn ?? source);
  return plain ? { ...plain, source, kind } : { source, kind, pieces: [], gaps: [], greedy: false, literals: [] };
}

/** The wildcard pattern that a message template stands for, as Python's re.escape writes it or
    with nothing escaped but what has a meaning. */
export function templatePattern(message, onlySyntax = false) {
  const escape = onlySyntax ? escapeSyntax : escapeAll;
  let out = "";
  let at = 0;
  for (const found of K.PLACEHOLDER.finditer(message)) {
    out += escape(message.slice(at, found.start)) + "(.+?)";
    at = found.end;
  }
  return out + escape(message.slice(at));
}

/** A name for each group of a wildcard pattern, taken from the template in order. */
export function placeholderNames(pattern, message) {
  const names = [];
  let at = 0;
  for (let number = 1; number < pattern.pieces.length; number++) {
    const piece = pattern.pieces[number - 1];
    at = Math.max(at, message.indexOf(piece, at)) + piece.length;
    const inner = K.PLACEHOLDER.match(message, at);
    names.push(inner ? plainName(inner.group(1)) : String(number));
    if (inner) at = inner.end;
  }
  return distinct(names);
}

/** The names of a template's placeholders, in order. */
export function templateNames(message) {
  return distinct(K.PLACEHOLDER.findall(message, 1).map(plainName));
}

function plainName(inside) {
  const found = K.NAME.findall(inside.split(/[!:=]/, 1)[0]);
  return found.length ? found.at(-1) : inside;
}

function distinct(names) {
  const seen = new Map();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name}_${times}`;
  });
}

function wildcards(source) {
  const pieces = [];
  const gaps = [];
  let greedy = false;
  let piece = "";
  let at = 0;
  while (at < source.length) {
    const token = K.WILDCARD.match(source, at);
    if (!token) return null;
    const repeat = token.group(1);
    if (repeat) {
      pieces.push(piece);
      gaps.push(repeat === "+" ? 1 : 0);
      greedy ||= !token.group(2);
      piece = "";
    } else {
      piece += token.group(5) || token.group(3) || K.CONTROLS.get(token.group(4));
    }
    at = token.end;
  }
  pieces.push(piece);
  return { pieces, gaps, greedy, literals: pieces.filter(Boolean) };
}

/** re.escape. */
function escapeAll(text) {
  return text.replace(META, "\\$&");
}

function escapeSyntax(text) {
  return text.replace(SYNTAX, "\\$&");
}
