// Passes: messages inside the strings of another language, read as they were meant.

import { quoting as K } from "../constants.js";
import { find, length } from "../text.js";
import { edit } from "./view.js";

/** Line breaks and quotes that are escaped outside of any string: a reading of last resort. */
export function decodeEscapes(view) {
  return K.ESCAPE_APPLIES.search(view.text) && length(view.text) <= K.LONGEST_ESCAPED ? view.edited(escapeEdits(view.text)) : view;
}

function* escapeEdits(text) {
  for (const found of K.ANY_ESCAPE.finditer(text)) {
    const white = [...K.WHITE].find(([name]) => found.group(name) !== undefined);
    yield edit(found.start, found.end, white ? white[1] : "");
  }
}

export function unescapeJson(view) {
  const { text } = view;
  if (!text.includes("\\") && !text.includes('":') && !text.includes('" :')) return view;
  if (!K.JSON_OBJECT.search(text) && !K.KEY_VALUE.search(text)) return view;
  return view.edited(jsonEdits(text));
}

function* jsonEdits(text) {
  let at = 0;
  for (const line of text.split("\n")) {
    const opening = K.JSON_OBJECT.search(line);
    if (opening) yield* stringEdits(text, K.STRING, at + opening.start, at + line.length);
    else if (line.includes("\\") && !K.DRIVE.search(line)) {
      yield* stringEdits(text, K.KEY_VALUE, at, at + line.length);
    }
    at += line.length + 1;
  }
}

function* stringEdits(text, strings, at, end) {
  for (const string of strings.finditer(text, at, end)) {
    const inside = string.group(1);
    if (!inside.includes("\\") && !inside.includes(" ")) continue;
    const [start, stop] = string.span(1);
    yield edit(start - 1, start, "\n");
    yield* escapes(K.JSON_ESCAPE, K.JSON_CONTROLS, text, start, stop);
    if (string.end > stop) yield edit(stop, stop + 1, "\n");
  }
}

function* escapes(expression, controls, text, start, end) {
  for (const escape of expression.finditer(text, start, end)) {
    const code = escape.group(1);
    const sign = escape.group(2);
    const plain = code ? utf16(code) : controls.get(sign) ?? sign;
    yield edit(escape.start, escape.end, plain);
  }
}

/** The character of one code or of a pair; a half alone becomes U+FFFD. */
function utf16(code) {
  const units = code.split("\\u").map((unit) => Number.parseInt(unit, 16));
  return String.fromCharCode(...units).replace(/\p{Surrogate}/gu, "\ufffd");
}

export function unquoteCsv(view) {
  if (!view.text.includes('""') && !view.text.includes("'\\''")) return view;
  return view.edited(csvEdits(view.text));
}

function* csvEdits(text) {
  if (!text.includes('""')) {
    for (const quote of K.SHELL_QUOTE.finditer(text)) yield edit(quote.start, quote.end, "'");
    return;
  }
  for (const field of K.CSV.finditer(text)) {
    if (!field.group(1).includes('""')) continue;
    const [start, stop] = field.span(1);
    yield edit(start - 1, start, "\n");
    for (let at = find(text, '""', start, stop); at >= 0; at = find(text, '""', at + 2, stop)) {
      yield edit(at, at + 2, '"');
    }
    yield edit(stop, stop + 1, "\n");
  }
}

export function unquotePython(view) {
  const { text } = view;
  if (!text.includes("('") && !text.includes('("') && !/b['"]/.test(text)) return view;
  return view.edited(pythonEdits(text));
}

function* pythonEdits(text) {
  for (const found of K.PYTHON.finditer(text)) {
    const bytes = found.group("bytes");
    if (bytes) {
      if (!bytes.includes("\\") && !bytes.includes(" ")) continue;
      const start = found.start + 2;
      const stop = found.end - 1;
      yield edit(found.start, start, "\n");
      yield* byteEscapes(text, start, stop);
      yield edit(stop, stop + 1, "\n");
      continue;
    }
    const strings = Array.from(K.PYTHON_STRINGS.finditer(text, ...found.span("args")), (s) => [s.start, s.end]);
    if (!found.group("name") && strings.length < 2) continue;
    yield* argumentEdits(text, found, strings);
  }
}

function* byteEscapes(text, start, end) {
  for (const escape of K.BYTE_ESCAPE.finditer(text, start, end)) {
    const codes = escape.group(1);
    const sign = escape.group(2);
    yield edit(escape.start, escape.end, codes ? decoded(codes) : K.PYTHON_CONTROLS.get(sign) ?? sign);
  }
}

/** `\\xc3\\xbc` → `ü`. */
function decoded(codes) {
  const bytes = codes.slice(2).split("\\x").map((code) => Number.parseInt(code, 16));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes));
}

function* argumentEdits(text, found, strings) {
  const named = found.group("name") ? found.span("name")[1] : -1;
  let before = named >= 0 ? named : found.start;
  let between = named >= 0 ? ": " : "";
  for (const [start, end] of strings) {
    const opening = text.indexOf(text[end - 1], start) + 1;
    if (before !== named && before !== found.start) {
      const meet = text.slice(before - 2, before - 1) + text.slice(opening, opening + 1);
      between = meet.includes(" ") || meet.includes("\\") ? "" : " ";
      before -= 1;
    }
    yield edit(before, opening, between);
    yield* escapes(K.PYTHON_ESCAPE, K.PYTHON_CONTROLS, text, opening, end - 1);
    before = end;
  }
  yield edit(before - 1, found.end, "\n");
}
