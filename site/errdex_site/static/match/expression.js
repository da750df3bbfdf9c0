// Regular expressions with the calls of Python's `re`: match, search, finditer between two offsets.

/** One match. A group's text is undefined where it took no part. */
class Found {
  #expression;
  #seen;
  #hit;
  constructor(expression, seen, hit) {
    this.#expression = expression;
    this.#seen = seen;
    this.#hit = hit;
    this.start = hit.index;
    this.end = hit.index + hit[0].length;
    this.text = hit[0];
  }
  group(key) {
    return typeof key === "number" ? this.#hit[key] : this.#hit.groups[key];
  }
  /** Offsets of a group, or [-1, -1]. */
  span(key) {
    const { indices } = this.#expression.again(this.#seen, this.start);
    return (typeof key === "number" ? indices[key] : indices.groups[key]) ?? [-1, -1];
  }
  /** The number of the last group that took part, 0 without any. */
  get lastGroup() {
    let last = 0;
    for (let k = 1; k < this.#hit.length; k++) if (this.#hit[k] !== undefined) last = k;
    return last;
  }
}

/** A regular expression whose every call takes its offsets, so that it holds no state. */
export class Expression {
  #source;
  #everywhere;
  #here;
  #indices;
  constructor(expression) {
    this.#source = expression.source;
    this.#everywhere = new RegExp(this.#source, "gu");
    this.#here = new RegExp(this.#source, "yu");
  }
  /** A match that begins at `at`; nothing from `end` on is seen. */
  match(text, at = 0, end = text.length) {
    return this.#run(this.#here, text, at, end);
  }
  /** The first match from `at` on. */
  search(text, at = 0, end = text.length) {
    return this.#run(this.#everywhere, text, at, end);
  }
  /** Every match, one after another. */
  *finditer(text, at = 0, end = text.length) {
    const seen = end < text.length ? text.slice(0, end) : text;
    for (;;) {
      const found = this.#run(this.#everywhere, seen, at, seen.length);
      if (!found) return;
      at = found.end > found.start ? found.end : found.end + 1;
      yield found;
    }
  }
  /** The texts of all matches, or of one group of them. */
  findall(text, group = 0) {
    return Array.from(this.finditer(text), (found) => found.group(group));
  }
  split(text) {
    const parts = [];
    let at = 0;
    for (const found of this.finditer(text)) {
      parts.push(text.slice(at, found.start));
      at = found.end;
    }
    return [...parts, text.slice(at)];
  }
  replaceAll(text, other) {
    return this.split(text).join(other);
  }
  again(seen, at) {
    this.#indices ??= new RegExp(this.#source, "dyu");
    this.#indices.lastIndex = at;
    return this.#indices.exec(seen);
  }
  #run(expression, text, at, end) {
    const seen = end < text.length ? text.slice(0, end) : text;
    if (at > seen.length) return null;
    expression.lastIndex = at;
    const hit = expression.exec(seen);
    return hit && new Found(this, seen, hit);
  }
}
