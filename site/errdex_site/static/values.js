// The reader's own values, from the address's fragment into the page: `#v=name=value&other=value`,
// each side percent-encoded. Pure functions, but for `fill`, which writes text and nothing else.

const MAX_PAIRS = 30;
const MAX_LENGTH = 500;

// What looks like a secret is not shown: a link that carries one should not spread it.
const SECRETS = [
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}/,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/,
  /\bgithub_pat_\w{20,}/,
  /\bglpat-[\w-]{16,}/,
  /\bxox[abprs]-[\w-]{10,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\bhf_[A-Za-z0-9]{20,}/,
  /\beyJ[\w-]{8,}\.[\w-]{8,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/i,
  /\b(?:pass(?:word|wd)?|secret|token|api[-_]?key|authorization|bearer)\b["']?\s*[:= ]\s*\S{4,}/i,
];

/** Whether the text seems to hold a password, key or token. */
export function looksSecret(text) {
  if (SECRETS.some((secret) => secret.test(text))) return true;
  return text.split(/[\s"'`,;()]+/).some(isRandom);
}

// A long run that mixes digits and both cases is a key more often than a name.
function isRandom(word) {
  return (
    word.length >= 32 && /^[\w+/=-]+$/.test(word) && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word)
  );
}

/** The values that a fragment carries, by name; those that seem secret are left out. */
export function parseValues(fragment) {
  const values = new Map();
  const hit = /^#?v=(.*)$/s.exec(fragment);
  if (!hit) return values;
  for (const pair of hit[1].split("&").slice(0, MAX_PAIRS)) {
    const at = pair.indexOf("=");
    if (at < 1) continue;
    const name = decode(pair.slice(0, at));
    const value = decode(pair.slice(at + 1));
    if (!name || !value || value.length > MAX_LENGTH || looksSecret(value)) continue;
    values.set(name, value);
  }
  return values;
}

/** The fragment that carries these values; empty without any. */
export function valuesFragment(values) {
  const pairs = [...values].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length ? `#v=${pairs.join("&")}` : "";
}

/** The name in a placeholder's text, `{name}` → `name`; null when it is none. */
export function placeholderName(text) {
  const hit = /^\{([^{}\n]+)\}$/.exec(text);
  return hit && hit[1];
}

/** Put each value where its placeholder stands; how many were put in. */
export function fill(variables, values) {
  let filled = 0;
  for (const variable of variables) {
    const name = placeholderName(variable.dataset.placeholder ?? variable.textContent);
    if (name === null) continue;
    variable.dataset.placeholder ??= variable.textContent;
    const known = values.has(name);
    variable.textContent = known ? printable(values.get(name)) : variable.dataset.placeholder;
    variable.classList.toggle("filled", known);
    filled += known;
  }
  return filled;
}

/** The text with control and direction characters made visible, as the pages themselves do. */
export function printable(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f]/g, (hit) => String.fromCharCode(0x2400 + hit.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, written);
}

function written(character) {
  return `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

function decode(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, "%20"));
  } catch {
    return "";
  }
}
