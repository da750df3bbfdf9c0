// Patterns whose literals are in a text in order, but not all of them, as errdex/match/partial.py.

import { between as B, fragments as F, partial as K } from "./constants.js";
import { bits } from "./information.js";
import { find, isAlnumAt, isSpace, length, rfind, rstrip, strip } from "./text.js";

const cache = new WeakMap();
let counted = { text: "", pairs: false };

/** All pieces in order, with values that may be empty and may span lines. */
export function relaxed(pattern, text) {
  const found = [];
  const first = pattern.pieces[0];
  let start = text.indexOf(first);
  for (let times = first ? K.ANCHOR_PLACES : 1; times > 0 && start >= 0; times--) {
    const occurrence = allPieces(pattern, text, start);
    if (occurrence) found.push({ occurrence, coverage: 1, cut: false, whole: true });
    start = find(text, first, start + Math.max(1, first.length));
  }
  return found;
}

function allPieces(pattern, text, start) {
  let position = start + pattern.pieces[0].length;
  const groups = [];
  for (const piece of pattern.pieces.slice(1)) {
    const found = find(text, piece, position, moved(text, position, B.LONGEST_GAP) + piece.length);
    if (found < 0) return null;
    groups.push([position, withoutBreaks(text, position, found)]);
    position = found + piece.length;
  }
  return { start, end: position, groups };
}

/** The end of a stretch without line breaks and what blanks are among them. */
function withoutBreaks(text, start, end) {
  const last = start + rstrip(text.slice(start, end)).length;
  return text.slice(last, end).includes("\n") ? last : end;
}

/** A few ways to lay the words of the pattern along the text. */
export function align(pattern, text, thorough = true) {
  const fragments = fragmentsOf(pattern);
  const found = new Map();
  const laid = new Set();
  const order = fragments.map((_, i) => i).sort((a, b) => fragments[b].bits - fragments[a].bits);
  const telling = order.slice(0, K.ANCHORS).map((i) => fragments[i].text);
  for (const [rank, anchor] of order.slice(0, K.MOST_TRIED).entries()) {
    if (rank >= K.ANCHORS && (laid.size || !thorough) && !telling.includes(fragments[anchor].text)) continue;
    let at = -1;
    for (let places = 0; places < K.ANCHOR_PLACES; places++) {
      at = findFragment(fragments[anchor], text, at + 1);
      if (at < 0) break;
      if (laid.has(`${anchor} ${at}`)) continue;
      const { there, altered } = around(fragments, anchor, text, at);
      for (const [i, place] of there) laid.add(`${i} ${place}`);
      const alignment = alignmentOf(pattern, fragments, there, altered, text);
      if (!alignment) continue;
      const place = `${alignment.occurrence.start} ${alignment.occurrence.end}`;
      if (!(found.get(place)?.coverage >= alignment.coverage)) found.set(place, alignment);
    }
  }
  return [...found.values()];
}

function fragmentsOf(pattern) {
  if (cache.has(pattern)) return cache.get(pattern);
  const fragments = [];
  const last = pattern.pieces.length - 1;
  pattern.pieces.forEach((piece, number) => {
    let before = 0;
    for (const word of F.WORD.finditer(piece)) {
      const edgeLeft = word.start === 0 && number > 0;
      const edgeRight = word.end === piece.length && number < last;
      const opensLine = piece.slice(before, word.start).includes("\n");
      const isWord = isAlnumAt(word.text, 0) || word.text[0] === "_";
      fragments.push({ text: word.text, piece: number, bits: bits(word.text), edgeLeft, edgeRight, opensLine, isWord });
      before = word.end;
    }
  });
  cache.set(pattern, fragments);
  return fragments;
}

function findFragment(fragment, text, start, end = text.length) {
  let at = find(text, fragment.text, start, end);
  while (at >= 0 && !atWords(fragment, text, at)) at = find(text, fragment.text, at + 1, end);
  return at;
}

function rfindFragment(fragment, text, start, end) {
  let at = rfind(text, fragment.text, start, end);
  while (at >= 0 && !atWords(fragment, text, at)) {
    at = rfind(text, fragment.text, start, at + fragment.text.length - 1);
  }
  return at;
}

function atWords(fragment, text, at) {
  const word = fragment.text;
  const end = at + word.length;
  if (!fragment.edgeLeft && at > 0 && isAlnumAt(word, 0) && isAlnumAt(text, at - 1)) return false;
  return fragment.edgeRight || !(end < text.length && isAlnumAt(word, word.length - 1) && isAlnumAt(text, end));
}

/** Where the fragments lie around one of them, and where words that look like them. */
function around(fragments, anchor, text, at) {
  const there = new Map([[anchor, at]]);
  const altered = new Map();
  walk(fragments, 1, anchor, text, there, altered);
  walk(fragments, -1, anchor, text, there, altered);
  return { there, altered };
}

function walk(fragments, step, anchor, text, places, altered) {
  let before = anchor;
  let skipped = 0;
  let position = places.get(anchor) + (step > 0 ? fragments[anchor].text.length : 0);
  for (let i = anchor + step; i >= 0 && i < fragments.length; i += step) {
    const fragment = fragments[i];
    const size = length(fragment.text);
    const jump = fragment.piece !== fragments[before].piece ? K.LONGEST_JUMP : K.SLACK;
    const reach = jump + skipped + size;
    const found =
      step > 0
        ? findFragment(fragment, text, position, moved(text, position, reach))
        : rfindFragment(fragment, text, moved(text, position, -reach), position);
    const span = found < 0 && alteredSpan(fragment, text, position, step > 0);
    if (span) {
      altered.set(i, span);
      before = i;
      skipped = 0;
      position = step > 0 ? span[1] : span[0];
      continue;
    }
    if (found < 0) {
      skipped += size + 1;
      continue;
    }
    places.set(i, found);
    before = i;
    skipped = 0;
    position = step > 0 ? found + fragment.text.length : found;
  }
}

/** The next word, if it looks like this one in another form: `compactor`, `compaction`. */
function alteredSpan(fragment, text, position, forward) {
  if (length(fragment.text) < K.SHORTEST_STEM) return null;
  const word = forward
    ? K.NEXT_WORD.match(text, position)
    : K.LAST_WORD.search(text, moved(text, position, -K.LONGEST_WORD), position);
  if (!word) return null;
  const theirs = word.group(1);
  let stem = 0;
  while (stem < theirs.length && stem < fragment.text.length && theirs[stem] === fragment.text[stem]) stem++;
  if (stem < K.SHORTEST_STEM || stem * 2 < Math.max(length(theirs), length(fragment.text))) return null;
  return word.span(1);
}

function alignmentOf(pattern, fragments, places, altered, text) {
  dropStraySigns(fragments, places);
  let total = 0;
  for (const fragment of fragments) total += fragment.bits;
  let found = 0;
  for (const i of places.keys()) found += fragments[i].bits;
  let changed = 0;
  for (const i of altered.keys()) changed += fragments[i].bits;
  found += K.ALTERED_SHARE * changed;
  if (found < K.LEAST_COVERAGE * total) return null;
  const start = Math.min(...places.values());
  const end = Math.max(...Array.from(places, ([i, at]) => at + fragments[i].text.length));
  const first = Math.min(...places.keys());
  const last = Math.max(...places.keys());
  const { piece } = fragments[last];
  const begun = last + 1 === fragments.length || fragments[last + 1].piece > piece;
  const lineDone = last + 1 < fragments.length && fragments[last + 1].opensLine;
  const cutTail = isCutBehind(text, end, begun && piece + 1 < pattern.pieces.length, lineDone);
  const cutHead = length(text.slice(0, start)) <= K.SLACK;
  const wholeInside = places.size === last - first + 1;
  const headThere = first === 0;
  const tailThere = last === fragments.length - 1;
  const cut = wholeInside && (headThere || cutHead) && (tailThere || cutTail);
  return {
    occurrence: { start, end, groups: groupsOf(pattern, fragments, places, altered, text) },
    coverage: Math.min(1, found / (total || 1)),
    cut: cut && !(headThere && tailThere),
    whole: false,
  };
}

/** Take out marks at either end whose neighbouring word is missing: a full stop is found behind
 * any message that is cut off. */
function dropStraySigns(fragments, places) {
  const order = [...places.keys()].sort((a, b) => a - b);
  while (order.length > 1 && fragments[order.at(-1)].bits < K.SAYING && order.at(-1) - order.at(-2) > 1) {
    places.delete(order.pop());
  }
  while (order.length > 1 && fragments[order[0]].bits < K.SAYING && order[1] - order[0] > 1) places.delete(order.shift());
}

/** Whether the text ends at `end` or soon after, or the message is cut off there: at a mark that
 * says so, or at the end of the first of its lines. In a value, the rest of the line counts. */
function isCutBehind(text, end, inValue, lineDone) {
  if (length(text.slice(end, end + 2 * K.SLACK + 1)) <= K.SLACK || !strip(text.slice(end))) return true;
  const near = length(text.slice(end, end + 2 * K.LONGEST_JUMP + 1)) <= K.LONGEST_JUMP;
  if (inValue && near && !strip(text.slice(end)).includes("\n")) return true;
  if (lineDone && (inValue || K.LINE_ENDS.match(text, end))) return true;
  return (inValue ? K.CUT_IN_VALUE : K.CUT_HERE).match(text, end) !== null;
}

/** An offset so many characters further on, or back. */
function moved(text, at, steps) {
  if (text !== counted.text) counted = { text, pairs: length(text) !== text.length };
  if (!counted.pairs) return Math.max(0, at + steps);
  for (; steps > 0 && at < text.length; steps--) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  for (; steps < 0 && at > 0; steps++) at -= at > 1 && text.codePointAt(at - 2) > 0xffff ? 2 : 1;
  return at;
}

/** The stretch of each group that has something of the literals on both of its sides. */
function groupsOf(pattern, fragments, places, altered, text) {
  const spans = new Map(Array.from(places, ([i, at]) => [i, [at, at + fragments[i].text.length]]));
  for (const [i, span] of altered) spans.set(i, span);
  const sides = pattern.pieces.map(() => []);
  fragments.forEach((fragment, i) => sides[fragment.piece].push(i));
  const lastGroup = pattern.pieces.length - 1;
  const groups = [];
  for (let number = 1; number <= lastGroup; number++) {
    const left = nearest(fragments, [...sides[number - 1]].reverse(), spans);
    if (!left) {
      groups.push([-1, -1]);
      continue;
    }
    const right = nearest(fragments, sides[number], spans);
    let lineEnd = text.indexOf("\n", left.end);
    if (lineEnd < 0) lineEnd = text.length;
    if (right) {
      groups.push(between(text, left, right));
    } else if (number === lastGroup && !sides[number].length) {
      const start = left.missing.length ? left.end : behindBlanks(text, left.end, pattern.pieces[number - 1]);
      groups.push(start <= lineEnd ? [start, start < lineEnd ? moved(text, start, 1) : start] : [-1, -1]);
    } else if (goesToLineEnd(fragments, sides[number], number === lastGroup)) {
      groups.push(between(text, left, { start: lineEnd, end: lineEnd, missing: [] }));
    } else {
      groups.push([-1, -1]);
    }
  }
  return groups;
}

/** What was found of the literal on one side of a group, nearest to it, and what should stand
 * between it and the group, but does not. */
function nearest(fragments, order, spans) {
  const missing = [];
  let words = 0;
  for (const i of order) {
    if (spans.has(i)) return { start: spans.get(i)[0], end: spans.get(i)[1], missing };
    missing.push(fragments[i]);
    words += fragments[i].isWord ? 1 : 0;
    if (words > B.MOST_CHANGED) return null;
  }
  return null;
}

/** Whether a value before a literal that is missing runs to the end of its line. */
function goesToLineEnd(fragments, side, last) {
  if (!side.length) return false;
  return fragments[side[0]].opensLine || (last && !side.some((i) => fragments[i].isWord));
}

/** Behind as many blanks at `at` as the literal has at its end, if so many are there. */
function behindBlanks(text, at, literal) {
  const most = at + literal.length - rstrip(literal).length;
  while (at < most && at < text.length && isSpace(text[at]) && text[at] !== "\n") at++;
  return at;
}

/** The value between two sides: without a word for each that is missing, unless nothing would
 * be left; without blanks, and quotes that replaced others. */
function between(text, left, right) {
  let start = left.end;
  let end = right.start;
  if (start > end || length(text.slice(start, end)) > B.LONGEST_GAP) return [-1, -1];
  let shorter = start;
  let longer = end;
  for (const fragment of left.missing) {
    const word = fragment.isWord ? B.NEXT_WORD_HERE.match(text, shorter, end) : null;
    if (word) shorter = word.end;
  }
  for (const fragment of right.missing) {
    const word = fragment.isWord && B.WORD_BEFORE.search(text, Math.max(start, moved(text, longer, -B.LONGEST_WORD)), longer);
    if (word) longer = word.start;
  }
  if (shorter < longer && strip(text.slice(shorter, longer))) [start, end] = [shorter, longer];
  const signs = [...left.missing, ...right.missing].map((one) => (one.isWord ? "" : one.text)).join("");
  const before = left.missing.length ? signs : "";
  while (start < end && (isSpace(text[start]) || before.includes(text[start]))) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  const stops = right.missing.length ? signs : B.STOPS;
  while (end > start && stops.includes(text[end - 1])) end--;
  while (signs && start < end - 1 && text[start] === text[end - 1] && B.QUOTES.includes(text[start])) {
    start++;
    end--;
  }
  return [start, end];
}
