// Patterns whose literals are in a text in order, but not all of them, as errdex/match/partial.py.

import { partial as K } from "./constants.js";
import { bits } from "./information.js";
import { find, isAlnumAt, length, lstrip, rfind, rstrip, strip } from "./text.js";

const cache = new WeakMap();

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
    const found = find(text, piece, position, position + K.LONGEST_GAP + piece.length);
    if (found < 0) return null;
    groups.push([position, found]);
    position = found + piece.length;
  }
  return { start, end: position, groups };
}

/** A few ways to lay the words of the pattern along the text. */
export function align(pattern, text) {
  const fragments = fragmentsOf(pattern);
  const found = new Map();
  const anchors = fragments.map((_, i) => i).sort((a, b) => fragments[b].bits - fragments[a].bits);
  for (const anchor of anchors.slice(0, K.ANCHORS)) {
    let at = -1;
    for (let places = 0; places < K.ANCHOR_PLACES; places++) {
      at = findFragment(fragments[anchor], text, at + 1);
      if (at < 0) break;
      const alignment = around(pattern, fragments, anchor, text, at);
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
    for (const word of K.WORD.finditer(piece)) {
      const edgeLeft = word.start === 0 && number > 0;
      const edgeRight = word.end === piece.length && number < last;
      fragments.push({ text: word.text, piece: number, bits: bits(word.text), edgeLeft, edgeRight });
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

function around(pattern, fragments, anchor, text, at) {
  const places = new Map([[anchor, at]]);
  const altered = new Map();
  walk(fragments, 1, anchor, text, places, altered);
  walk(fragments, -1, anchor, text, places, altered);
  return alignmentOf(pattern, fragments, places, altered, text);
}

function walk(fragments, step, anchor, text, places, altered) {
  let before = anchor;
  let skipped = 0;
  let position = places.get(anchor) + (step > 0 ? fragments[anchor].text.length : 0);
  for (let i = anchor + step; i >= 0 && i < fragments.length; i += step) {
    const fragment = fragments[i];
    const size = fragment.text.length;
    const jump = fragment.piece !== fragments[before].piece ? K.LONGEST_JUMP : K.SLACK;
    const reach = jump + skipped + size;
    const found =
      step > 0
        ? findFragment(fragment, text, position, position + reach)
        : rfindFragment(fragment, text, Math.max(0, position - reach), position);
    const span = found < 0 && alteredSpan(fragment, text, position, step > 0);
    if (span) {
      altered.set(i, span[0]);
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
    position = step > 0 ? found + size : found;
  }
}

/** The next word, if it looks like this one in another form: `compactor`, `compaction`. */
function alteredSpan(fragment, text, position, forward) {
  if (length(fragment.text) < K.SHORTEST_STEM) return null;
  const word = forward
    ? K.NEXT_WORD.match(text, position)
    : K.LAST_WORD.search(text, Math.max(0, position - K.LONGEST_WORD), position);
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
  const start = Math.min(...places.values());
  const end = Math.max(...Array.from(places, ([i, at]) => at + fragments[i].text.length));
  const first = Math.min(...places.keys());
  const last = Math.max(...places.keys());
  const { piece } = fragments[last];
  const begun = last + 1 === fragments.length || fragments[last + 1].piece > piece;
  const cutTail = isCutBehind(text, end, begun && piece + 1 < pattern.pieces.length);
  const cutHead = length(text.slice(0, start)) <= K.SLACK;
  const wholeInside = places.size === last - first + 1;
  const headThere = first === 0;
  const tailThere = last === fragments.length - 1;
  const cut = wholeInside && (headThere || cutHead) && (tailThere || cutTail);
  return {
    occurrence: { start, end, groups: groupsOf(pattern, fragments, places, text) },
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

/** Whether the text ends at `end` or soon after; in a value, whether its line is the last. */
function isCutBehind(text, end, inValue) {
  if (length(text.slice(end, end + 2 * K.SLACK + 1)) <= K.SLACK || !strip(text.slice(end))) return true;
  const near = length(text.slice(end, end + 2 * K.LONGEST_JUMP + 1)) <= K.LONGEST_JUMP;
  return inValue && near && !strip(text.slice(end)).includes("\n");
}

/** An offset so many characters further on, or back. */
function moved(text, at, steps) {
  for (; steps > 0; steps--) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  for (; steps < 0; steps++) at -= at > 1 && text.codePointAt(at - 2) > 0xffff ? 2 : 1;
  return at;
}

function groupsOf(pattern, fragments, places, text) {
  const firsts = new Map();
  const lasts = new Map();
  fragments.forEach((fragment, i) => {
    if (!firsts.has(fragment.piece)) firsts.set(fragment.piece, i);
    lasts.set(fragment.piece, i);
  });
  const groups = [];
  for (let number = 1; number < pattern.pieces.length; number++) {
    const left = lasts.get(number - 1);
    const right = firsts.get(number);
    if (left === undefined || !places.has(left)) {
      groups.push([-1, -1]);
      continue;
    }
    const tail = pattern.pieces[number - 1];
    const start = moved(text, places.get(left) + fragments[left].text.length, tail.length - rstrip(tail).length);
    let end = -1;
    if (right !== undefined && places.has(right)) {
      const head = pattern.pieces[number];
      end = moved(text, places.get(right), lstrip(head).length - head.length);
    } else if (right === undefined && number === pattern.pieces.length - 1) {
      end = Math.min(moved(text, start, 1), text.length);
    }
    groups.push(start <= end ? [start, end] : [-1, -1]);
  }
  return groups;
}
