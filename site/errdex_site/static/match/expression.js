// Regular expressions with the calls of Python's `re`: match, search, finditer between two offsets.

/** One match: `[n]` or `[name]` is a group's text, undefined where it took no part. */
export class Found {
  #hit;
  constructor(hit) {
    this.#hit = hit;
    this.start = hit.index;
    this.end = hit.index + hit[0].length;
    this.text = hit[0];
  }
  group(key) {
    return typeof key === "number" ? this.#hit[key] : this.#hit.groups[key];
  }
  /** Offsets of a group, or [-1, -1]; only for expressions made with `spans`. */
  span(key) {
    const { indices } = this.#hit;
    return (typeof key === "number" ? indices[key] : indices.groups[key]) ?? [-1, -1];
  }
  get lastGroup() {
    let last = 0;
    for (let k = 1; k < this.#hit.length; k++) if (this.#hit[k] !== undefined) last = k;
    return last;
  }
}

export class Expression {
  #everywhere;
  #here;
  constructor(expression) {
    this.#everywhere = new RegExp(expression.source, "dgu");
    this.#here = new RegExp(expression.source, "dyu");
  }
  /** A match that begins at `at`; nothing from `end` on is seen. */
  match(text, at = 0, end = text.length) {
    return run(this.#here, text, at, end);
  }
  /** The first match from `at` on. */
  search(text, at = 0, end = text.length) {
    return run(this.#everywhere, text, at, end);
  }
  /** Every match, one after another. */
  *finditer(text, at = 0, end = text.length) {
    const seen = end < text.length ? text.slice(0, end) : text;
    while (at <= seen.length) {
      this.#everywhere.lastIndex = at;
      const hit = this.#everywhere.exec(seen);
      if (!hit) return;
      at = hit.index + hit[0].length;
      if (!hit[0].length) at += 1;
      yield new Found(hit);
    }
  }
  test(text, at = 0, end = text.length) {
    return this.search(text, at, end) !== null;
  }
  /** The texts of all matches, or of their only group. */
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
}

function run(expression, text, at, end) {
  const seen = end < text.length ? text.slice(0, end) : text;
  if (at > seen.length) return null;
  expression.lastIndex = at;
  const hit = expression.exec(seen);
  return hit && new Found(hit);
}
