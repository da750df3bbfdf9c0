// Keys of texts, as errdex/match/keys.py defines them.

import { keys as K } from "./constants.js";

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});
const WORD = Uint8Array.from({ length: 256 }, (_, n) => (n >= 0x80 || n === 95 || (n >= 48 && n <= 57) || (n >= 97 && n <= 122) ? 1 : 0));

/** UTF-8 in ASCII lower case; a lone surrogate becomes the three bytes that it would be. */
export function folded(text) {
  const bytes = text.isWellFormed?.() ?? !/[\ud800-\udfff]/.test(text) ? new TextEncoder().encode(text) : lenient(text);
  for (let k = 0; k < bytes.length; k++) if (bytes[k] >= 65 && bytes[k] <= 90) bytes[k] += 32;
  return bytes;
}

function lenient(text) {
  const bytes = [];
  for (const sign of text) {
    const code = sign.codePointAt(0);
    if (code >= 0xd800 && code <= 0xdfff) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(...new TextEncoder().encode(sign));
  }
  return Uint8Array.from(bytes);
}

/** The CRC-32 of some of the bytes. */
export function crc32(data, start, end) {
  let crc = ~0;
  for (let k = start; k < end; k++) crc = TABLE[(crc ^ data[k]) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The CRC-32 of each boundary window, each once. */
export function distinctBoundaryKeys(data, into = new Set()) {
  for (let at = 0; at + K.SIZES[0] - 1 <= data.length; at++) {
    if (WORD[data[at]] && (at === 0 || data[at - 1] === 10)) addLine(data, at, into);
    if (WORD[data[at]] || !WORD[data[at + 1]]) continue;
    for (const size of K.SIZES) {
      if (at + size > data.length) break;
      into.add(crc32(data, at, at + size));
    }
  }
  return into;
}

/** What a line begins with, with a blank before it, is a window too. */
function addLine(data, at, into) {
  const [size] = K.SIZES;
  into.add(crc32(Uint8Array.of(32, ...data.subarray(at, at + size - 1)), 0, size));
}

/** Boundary keys of several texts together. */
export function keysOf(texts) {
  const boundary = new Set();
  for (const text of texts) distinctBoundaryKeys(folded(text), boundary);
  return boundary;
}
