// What each placeholder stood for, as errdex/match/values.py reads it.

import { values as K } from "./constants.js";
import { placeholderNames, templateNames } from "./patterns.js";
import { bisectRight, count, find, isSpace } from "./text.js";

export function groupNames(pattern, message) {
  return pattern.pieces.length ? placeholderNames(pattern, message) : templateNames(message);
}

/** The occurrence with its first and last group as long as the values really are. */
export function completed(pattern, view, found) {
  if (!pattern.pieces.length || !found.groups.length) return found;
  let { start, end } = found;
  const groups = [...found.groups];
  const lastPiece = pattern.pieces.at(-1);
  let [first, last] = groups.at(-1);
  if (first < 0) {
    // found in part, and without this group
  } else if (!lastPiece) {
    last = end = valueEnd(view, start, first, last);
  } else if (!K.LETTER.search(lastPiece) && view.text.startsWith(lastPiece, last)) {
    last = beforeClosingMark(view.text, lastPiece, first, last);
    end = last + lastPiece.length;
  }
  groups[groups.length - 1] = [first, last];
  if (!pattern.pieces[0]) {
    [first, last] = groups[0];
    if (first >= 0) {
      start = Math.max(start, valueStart(view.text, first, last));
      groups[0] = [Math.max(first, start), last];
    }
  }
  return { start, end, groups };
}

/** Where a value that begins a message really begins: behind the class before it, or the
 * name of the program, or the name of the field that it is in. */
function valueStart(text, first, last) {
  const field = K.FIELD.match(text, first, last);
  if (field && count(text, field.group(1), field.end, last) % 2 === 0 && field.end < last) first = field.end;
  const heads = [K.HEAD.match(text, first, last)];
  if (first === 0 || text[first - 1] === "\n") heads.push(K.PROGRAM.match(text, first, last));
  let start = Math.max(first, ...heads.map((head) => head?.end ?? first));
  for (;;) {
    const head = K.LATER_HEAD.search(text, Math.max(first, start - 1), last);
    if (!head) return start < last ? start : first;
    start = head.end;
  }
}

function valueEnd(view, start, first, least) {
  const { text } = view;
  let end = find(text, "\n", least);
  if (end < 0) end = text.length;
  const k = bisectRight(view.joins, least);
  if (k < view.joins.length) end = Math.min(end, view.joins[k]);
  end = closingQuote(text, start, first, least, end);
  end = cellEnd(text, start, least, fieldEnd(text, first, least, end));
  while (end > least && isSpace(text[end - 1])) end--;
  const emphasis = K.EMPHASIS.search(text, Math.max(0, start - K.LONGEST_HEAD), start)?.group(1);
  if (emphasis && text.slice(least, end).endsWith(emphasis)) end -= emphasis.length;
  while (end > least && closesNothing(text, first, end)) end--;
  return end;
}

/** Where the string closes that the message is at the end of, before the next field of a log,
 * as in `error='…' attempt=3`; or where a line break follows that is escaped. */
function fieldEnd(text, first, least, end) {
  const endNear = Math.min(end, first + K.LONGEST_QUOTED);
  if (find(text, "=", least, endNear) >= 0) {
    const field = K.NEXT_FIELD.search(text, least, endNear);
    if (field && count(text, field.group(1), first, field.start) % 2 === 0) end = field.start;
  }
  if (find(text, "\\n", least, end) >= 0) {
    const escaped = K.ESCAPED_BREAK.search(text, least, end);
    if (escaped && !K.DRIVE.search(text, first, escaped.start + 2)) end = escaped.start;
  }
  return end;
}

/** Where the cell of a table ends that the message is in, if it is in one, else `end`. */
function cellEnd(text, start, least, end) {
  const lineStart = start > 0 ? text.lastIndexOf("\n", start - 1) + 1 : 0;
  const tab = find(text, "\t", least, end);
  const before = text.slice(lineStart, start).replace(/^ +| +$/g, "");
  if (tab >= 0 && before.includes("\t")) return tab;
  const bar = find(text, " |", least, end);
  if (bar < 0) return end;
  return text.slice(least, end).endsWith("|") || text.slice(lineStart, start).includes("| ") ? bar : end;
}

/** Where the quote closes that stands directly before the message or its class, else `end`. */
function closingQuote(text, start, first, least, end) {
  const opened = K.OPENED.search(text, Math.max(0, start - K.LONGEST_HEAD), start);
  if (!opened) return end;
  const quote = opened.group(1);
  const near = Math.min(end, first + K.LONGEST_QUOTED);
  let openInside = false;
  for (let at = find(text, quote, first, near); at >= 0; at = find(text, quote, at + 1, near)) {
    if (K.APOSTROPHE.match(text, before(text, at))) continue;
    if (at >= least && !openInside && K.QUOTE_ENDS.match(text, at + 1)) return at;
    openInside = !openInside;
  }
  return end;
}

/** Where the character before an offset begins. */
function before(text, at) {
  return at > 1 && text.codePointAt(at - 2) > 0xffff ? at - 2 : Math.max(0, at - 1);
}

function closesNothing(text, first, end) {
  const sign = text[end - 1];
  const opening = K.CLOSING.get(sign);
  if (opening) return count(text, sign, first, end) > count(text, opening, first, end);
  return K.QUOTES.includes(sign) && count(text, sign, first, end) % 2 === 1 && text.at(first) !== sign;
}

function beforeClosingMark(text, mark, first, least) {
  let end = find(text, "\n", least);
  if (end < 0) end = text.length;
  const opening = K.CLOSING.get(mark[0]);
  let at = least;
  while (at >= 0 && at < end) {
    const balanced = !opening || count(text, opening, first, at) <= count(text, mark[0], first, at);
    if (balanced && K.VALUE_FOLLOWS.match(text, at + mark.length)) return at;
    at = find(text, mark, at + 1, end);
  }
  return least;
}

/** The values by name, in order; groups that took no part are left out. */
export function captured(view, found, names) {
  const values = {};
  found.groups.slice(0, names.length).forEach(([start, end], k) => {
    if (start >= 0) values[names[k]] = view.text.slice(start, end);
  });
  return values;
}
