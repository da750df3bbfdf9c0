// Strings as Python sees them. Offsets are those of JavaScript (UTF-16); lengths that a rule
// bounds count characters.

const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const ALNUM = /[\p{L}\p{N}]/u;
const UPPER = /\p{Uppercase}/u;
const ASTRAL = /[\ud800-\udbff][\udc00-\udfff]/g;

export function isSpace(sign) {
  return SPACE.test(sign);
}

/** str.isalnum of the character at an offset, which may be the second half of a pair. */
export function isAlnumAt(text, at) {
  const code = text.charCodeAt(at);
  if (code < 0x80) return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  const start = code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
  return ALNUM.test(String.fromCodePoint(text.codePointAt(start)));
}

export function isUpper(sign) {
  return UPPER.test(sign);
}

export function lstrip(text) {
  let at = 0;
  while (at < text.length && isSpace(text[at])) at++;
  return text.slice(at);
}

export function rstrip(text) {
  let end = text.length;
  while (end > 0 && isSpace(text[end - 1])) end--;
  return text.slice(0, end);
}

export function strip(text) {
  return lstrip(rstrip(text));
}

/** len(): characters, not their UTF-16 halves. */
export function length(text) {
  const pairs = text.match(ASTRAL);
  return text.length - (pairs ? pairs.length : 0);
}

/** text[:count] by characters. */
export function head(text, count) {
  if (text.length <= count) return text;
  const cut = text.slice(0, count);
  if (!ASTRAL.test(text.slice(0, 2 * count))) return cut;
  ASTRAL.lastIndex = 0;
  return Array.from(text.slice(0, 2 * count)).slice(0, count).join("");
}

/** The first `count` lines, without the line break behind them. */
export function firstLines(text, count) {
  if (text.length <= count) return text;
  let at = -1;
  for (let line = 0; line < count; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return text;
  }
  return text.slice(0, at);
}

/** str.find within [start, end), where a negative start counts from the end; -1 where it is not. */
export function find(text, part, start = 0, end = text.length) {
  if (start < 0) start = Math.max(0, start + text.length);
  if (end >= text.length) return start > text.length ? -1 : text.indexOf(part, start);
  if (start > end) return -1;
  const at = text.slice(start, end).indexOf(part);
  return at < 0 ? -1 : at + start;
}

/** str.rfind within [start, end). */
export function rfind(text, part, start = 0, end = text.length) {
  if (start > end) return -1;
  const at = text.slice(start, end).lastIndexOf(part);
  return at < 0 ? -1 : at + start;
}

/** str.count within [start, end). */
export function count(text, part, start = 0, end = text.length) {
  if (start < 0) start = Math.max(0, start + text.length);
  let found = 0;
  for (let at = find(text, part, start, end); at >= 0; at = find(text, part, at + part.length, end)) found++;
  return found;
}

/** The index behind the last entry that is not above `value`, in a sorted list. */
export function bisectRight(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value < sorted[middle]) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The index of the first entry that is not below `value`. */
export function bisectLeft(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** round(): halves go to the even neighbor. */
export function round(value, digits) {
  const exact = value.toFixed(Math.min(100, digits + 60));
  const near = Number(value.toFixed(digits));
  const point = exact.indexOf(".") + 1;
  if (!/^50*$/.test(exact.slice(point + digits))) return near;
  const below = Number(digits ? exact.slice(0, point + digits) : exact.slice(0, point - 1));
  const last = exact.slice(0, point + digits).replace(".", "").at(-1);
  return Number(last) % 2 === 0 ? below : near === below ? Number((below + Math.sign(value) * 10 ** -digits).toFixed(digits)) : near;
}

/** The order of two strings as Python has it, by code point. */
export function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}
