// What else a text says about where an error came from, as errdex/match/evidence.py.

import { evidence as K } from "./constants.js";
import { bisectLeft, isUpper, strip } from "./text.js";

/** What one view, and the raw text that it was made from, tell besides messages. */
export class Scene {
  #offsets;
  #installed = new Set();
  #folders = new Set();
  #named = new Map();
  constructor(text, raw = "") {
    this.text = text;
    this.raw = raw;
    this.frames = framesOf(text);
    this.logged = this.frames.length || text === raw ? [] : framesOf(raw);
    this.#offsets = this.frames.map((frame) => frame.offset);
    if (this.frames.length) {
      this.#installed = new Set(K.INSTALLED.findall(text, 1).map(plain));
      this.#folders = new Set(this.frames.flatMap((frame) => frame.folders).map(plain));
    }
  }

  /** What stands around a message from `start` to `end`. */
  place(start, end) {
    const head = K.CLASS_BEFORE.search(this.text, Math.max(0, start - 240), start);
    const lineStart = start > 0 ? this.text.lastIndexOf("\n", start - 1) + 1 : 0;
    const lineEnd = this.text.indexOf("\n", end);
    const k = bisectLeft(this.#offsets, start);
    const lead = head && isUpper(last(head.group(1)).slice(0, 1)) ? head.start : start;
    return {
      statedClass: head ? head.group(1) : null,
      beginsLine: strip(this.text.slice(lineStart, lead)) === "",
      endsLine: K.LINE_ENDS.includes(strip(this.text.slice(end, lineEnd < 0 ? undefined : lineEnd))),
      nearest: this.frames.slice(Math.max(0, k - 1), k + 1),
    };
  }

  /** Whether an error code stands in the text, not within a longer word. */
  holdsCode(code) {
    return standsApart(code, this.text, isAlnum) || standsApart(code, this.raw, isAlnum);
  }

  /** How well the best frame fits a raise site, and that frame for people. */
  frameBits(place, filePath, line) {
    let best = 0;
    let said = null;
    const wanted = filePath.split("/");
    for (const frame of this.frames) {
      let bits = siteBits(frame, wanted, line);
      if (bits > 0 && place.nearest.includes(frame)) bits += 2;
      if (bits > best) [best, said] = [bits, `${frame.folders.at(-1)}:${frame.line}`];
    }
    for (const frame of this.logged) {
      const bits = frame.line === line ? siteBits(frame, wanted, line) : 0;
      if (bits > Math.max(best, K.SAME_LINE_BITS)) [best, said] = [bits, `${frame.folders.at(-1)}:${frame.line}`];
    }
    return [best, said];
  }

  /** Whether the packages that the frames name are the record's, or, where there are none, the
   * modules of the class before the message; or its name is in the text. */
  repoBits({ statedClass }, repo, filePath) {
    const slash = repo.indexOf("/");
    const owner = repo.slice(0, slash);
    const name = repo.slice(slash + 1);
    const bits = this.#names(name) ? K.NAMED_BITS : 0;
    const modules = modulesOf(statedClass);
    if (!this.#folders.size && !modules.length) return bits;
    const top = filePath.split("/", 1)[0];
    const names = [plain(name), plain(owner), plain("@" + owner)];
    if (!K.GENERIC_FOLDERS.has(top) && top !== filePath) names.push(plain(top));
    if (names.some((one) => this.#installed.has(one))) return bits + 5;
    if (names.some((one) => this.#folders.has(one) || modules.includes(one))) return bits + 3;
    return this.#installed.size ? bits - 2 : bits;
  }

  /** Whether a name stands in the raw text, not within a longer one. */
  #names(name) {
    if (!this.#named.has(name)) this.#named.set(name, standsApart(name, this.raw, isOfName));
    return this.#named.get(name);
  }
}

/** `acme.errors` of `acme.errors.BadThing`, in its parts. */
function modulesOf(stated) {
  return stated ? K.CLASS_SEPARATORS.split(stated).slice(0, -1).map(plain) : [];
}

/** Whether a word stands in a text, not within a longer one: neither the sign before it nor
    the one behind it is one that `goesOn`. */
function standsApart(word, text, goesOn) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? "";
    const behind = String.fromCodePoint(text.codePointAt(at + word.length) ?? 32);
    if (!goesOn(before) && !goesOn(behind)) return true;
  }
  return false;
}

const isAlnum = (sign) => /[\p{L}\p{N}]/u.test(sign);
const isOfName = (sign) => K.NAME_SIGN.match(sign) !== null;

function framesOf(text) {
  const frames = [];
  for (const found of K.FRAME.finditer(text)) {
    let { start } = found;
    let path = found.group(1);
    const line = found.group(2) || found.group(4) || found.group(5);
    if (!path) {
      [start, path] = pathBefore(text, found.start);
      path += found.group(3);
    }
    const folders = K.SEPARATORS.split(path).filter(Boolean);
    if (folders.length) frames.push({ offset: start, folders, line: number(line) });
  }
  return frames;
}

/** Where the path begins whose extension stands at `at`, and it as far as there. */
function pathBefore(text, at) {
  const backwards = [...text.slice(Math.max(0, at - K.LONGEST_PATH), at)].reverse().join("");
  const { length } = K.PATH_BACKWARDS.match(backwards, 0).text;
  const path = text.slice(at - length, at);
  const call = K.CALL_BACKWARDS.match(backwards, length);
  if (!call) return [at - length, path];
  const dotted = [...call.text.slice(1)].reverse().join("");
  return [at - length, [...dotted.split(".").slice(0, -2), path].join("/")];
}

/** int(), which reads the digits of any script. */
function number(digits) {
  if (/^[0-9]+$/.test(digits)) return Number(digits);
  let value = 0;
  for (const digit of digits) {
    let zero = digit.codePointAt(0);
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && digit.codePointAt(0) - zero < 9) zero--;
    value = value * 10 + digit.codePointAt(0) - zero;
  }
  return value;
}

/** Whether the class before a message is the record's: bits for it or against it. */
export function classBits(stated, errorClass) {
  if (!stated || !errorClass) return 0;
  if (stated === errorClass) return K.GENERIC_CLASSES.has(errorClass) ? 4 : 12;
  const lastStated = last(stated);
  const lastClass = last(errorClass);
  if (lastStated === lastClass) return K.GENERIC_CLASSES.has(lastClass) ? 3 : 10;
  return isUpper([...lastStated][0] ?? "") && isUpper([...lastClass][0] ?? "") ? -6 : 0;
}

function siteBits(frame, wanted, line) {
  const { folders } = frame;
  let common = 0;
  while (common < wanted.length && common < folders.length) {
    if (wanted[wanted.length - 1 - common] !== folders[folders.length - 1 - common]) break;
    common += 1;
  }
  if (common === 0) {
    const own = stem(wanted.at(-1));
    return K.GENERIC_STEMS.has(own) || own !== stem(folders.at(-1)) ? 0 : 2;
  }
  let bits = 3 * Math.min(common, 4);
  if (line !== null) {
    const distance = Math.abs(frame.line - line);
    bits += distance === 0 ? K.SAME_LINE_BITS : 3 * Math.max(0, 1 - distance / K.NEAR_LINES);
  }
  return bits;
}

function stem(name) {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? name : name.slice(0, dot);
}

function last(name) {
  return K.CLASS_SEPARATORS.split(name).at(-1);
}

function plain(name) {
  return K.NAME_SIGNS.replaceAll(name.toLowerCase(), "");
}
