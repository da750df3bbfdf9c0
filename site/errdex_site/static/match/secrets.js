// Credentials in a text, found as errdex/match/secrets.py finds them.

import { secrets as K } from "./constants.js";

/** Where something stands that looks like a credential: [start, end) pairs. */
export function findSecrets(text) {
  const lower = text.toLowerCase();
  if (!K.MARKS.some((mark) => lower.includes(mark))) return [];
  return Array.from(K.SECRET.finditer(text), (found) => found.span(found.lastGroup));
}

/** The text with each credential replaced. */
export function maskSecrets(text) {
  let out = "";
  let at = 0;
  for (const [start, end] of findSecrets(text)) {
    out += text.slice(at, start) + K.MASK;
    at = end;
  }
  return out + text.slice(at);
}

/** The credentials in any of the texts, each once, the longest first. */
export function secretTexts(texts) {
  const found = new Set();
  for (const text of texts) for (const [start, end] of findSecrets(text)) found.add(text.slice(start, end));
  return [...found].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** The text with each of the credentials replaced, and all of it if it is a part of one. */
export function maskTexts(text, secrets) {
  for (const secret of secrets) {
    if (text.length >= K.SHORTEST_PART && secret.includes(text)) return K.MASK;
    text = text.replaceAll(secret, () => K.MASK);
  }
  return maskSecrets(text);
}
