// Regular expressions in linear time: Thompson's construction, run by Pike's machine.
//
// It takes RE2's syntax as far as patterns use it, and finds what RE2 finds: the leftmost
// match, of which the earlier alternative and the greedier repeat are preferred. No expression
// can take longer than its size times the text's length.

import { Automaton, takes } from "./automaton.js";

const DEEPEST = 60;
const MOST_STATES = 4000;
const MOST_STEPS = 20_000_000;

const PERL = { d: "0-9", w: "0-9A-Za-z_", s: "\\t\\n\\f\\r " };
const POSIX = {
  alnum: "0-9A-Za-z", alpha: "A-Za-z", ascii: "\\0-\\x7f", blank: "\\t ", cntrl: "\\0-\\x1f\\x7f", digit: "0-9",
  graph: "!-~", lower: "a-z", print: " -~", punct: "!-\\/:-@\\[-`{-~", space: "\\t-\\r ", upper: "A-Z",
  word: "0-9A-Za-z_", xdigit: "0-9A-Fa-f",
};
const CONTROLS = { a: "\x07", f: "\f", t: "\t", n: "\n", r: "\r", v: "\v" };

class Refused extends Error {}

const cache = new Map();

/** Every match, one after another: {start, end, groups}; nothing where the expression is refused. */
export function* linear(source, text) {
  const program = compiled(source);
  if (!program) return;
  const budget = { steps: MOST_STEPS };
  let at = 0;
  let before = -1;
  while (at <= text.length && program.automaton.mayMatch(text, at)) {
    const found = run(program, text, at, budget);
    if (!found) return;
    if (found.end > found.start || found.start !== before) yield found;
    before = found.end;
    at = found.end > found.start ? found.end : found.end + (text.codePointAt(found.end) > 0xffff ? 2 : 1);
  }
}

function compiled(source) {
  if (!cache.has(source)) {
    let program = null;
    try {
      program = new Compiler().program(new Parser(source).whole());
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
    }
    if (cache.size > 500) cache.clear();
    cache.set(source, program);
  }
  return cache.get(source);
}

// -- reading ------------------------------------------------------------------------------

class Parser {
  constructor(source) {
    this.source = source;
    this.at = 0;
    this.groups = 0;
    this.flags = { i: false, m: false, s: false, U: false };
  }
  whole() {
    const node = this.alternatives(0);
    if (this.at < this.source.length) throw new Refused("a bracket is closed that was not opened");
    return { node, groups: this.groups };
  }
  alternatives(depth) {
    if (depth > DEEPEST) throw new Refused("nested too deep");
    const branches = [this.sequence(depth)];
    while (this.source[this.at] === "|") {
      this.at++;
      branches.push(this.sequence(depth));
    }
    return branches.length === 1 ? branches[0] : { op: "or", branches };
  }
  sequence(depth) {
    const items = [];
    while (this.at < this.source.length && !"|)".includes(this.source[this.at])) {
      const atom = this.atom(depth);
      if (atom) items.push(this.repeated(atom));
    }
    return { op: "and", items };
  }
  repeated(atom) {
    const hit = /^(?:([*+?])|\{(\d{1,4})(?:(,)(\d{1,4})?)?\})(\??)/.exec(this.source.slice(this.at, this.at + 14));
    if (!hit) return atom;
    this.at += hit[0].length;
    const least = hit[1] ? (hit[1] === "+" ? 1 : 0) : Number(hit[2]);
    const most = hit[1] ? (hit[1] === "?" ? 1 : Infinity) : hit[3] ? (hit[4] ? Number(hit[4]) : Infinity) : least;
    if (least > most || least > 1000 || (most !== Infinity && most > 1000)) throw new Refused("a repeat too large");
    return { op: "repeat", item: atom, least, most, lazy: Boolean(hit[5]) !== this.flags.U };
  }
  atom(depth) {
    const sign = String.fromCodePoint(this.source.codePointAt(this.at));
    this.at += sign.length;
    const { i, m, s } = this.flags;
    if (sign === "(") return this.group(depth);
    if (sign === "[") return this.bracket();
    if (sign === ".") return { op: "any", line: !s };
    if (sign === "^") return { op: "place", place: m ? "lineStart" : "start" };
    if (sign === "$") return { op: "place", place: m ? "lineEnd" : "end" };
    if (sign === "\\") return this.escape();
    if ("*+?".includes(sign)) throw new Refused("nothing to repeat");
    return { op: "sign", test: literal(sign, i) };
  }
  group(depth) {
    const before = { ...this.flags };
    let number = 0;
    const rest = this.source.slice(this.at, this.at + 80);
    const flags = /^\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
    const name = /^\?P?<[A-Za-z_]\w*>/.exec(rest);
    if (flags && rest[0] === "?") {
      this.at += flags[0].length;
      for (const flag of flags[1]) this.flags[flag] = true;
      for (const flag of flags[2] ?? "") this.flags[flag] = false;
      if (flags[3] === ")") return null;
    } else if (name) {
      this.at += name[0].length;
      number = ++this.groups;
    } else if (rest[0] === "?") {
      throw new Refused("a group of an unknown kind");
    } else {
      number = ++this.groups;
    }
    const item = this.alternatives(depth + 1);
    if (this.source[this.at] !== ")") throw new Refused("a bracket is not closed");
    this.at++;
    this.flags = before;
    return number ? { op: "group", item, number } : item;
  }
  escape() {
    const sign = this.source[this.at++];
    if (sign === undefined) throw new Refused("a backslash at the end");
    const inside = this.inner(sign);
    if (inside !== null) return { op: "sign", test: member(inside, false, this.flags.i) };
    if (sign in CONTROLS) return { op: "sign", test: literal(CONTROLS[sign], false) };
    if (sign === "b" || sign === "B") return { op: "place", place: sign };
    if (sign === "A") return { op: "place", place: "start" };
    if (sign === "z") return { op: "place", place: "end" };
    if (sign === "Q") {
      const end = this.source.indexOf("\\E", this.at);
      const text = this.source.slice(this.at, end < 0 ? undefined : end);
      this.at = end < 0 ? this.source.length : end + 2;
      return { op: "and", items: [...text].map((one) => ({ op: "sign", test: literal(one, this.flags.i) })) };
    }
    const code = this.hex(sign);
    if (code !== null) return { op: "sign", test: literal(code, this.flags.i) };
    if (/[A-Za-z0-9]/.test(sign)) throw new Refused("an unknown escape");
    return { op: "sign", test: literal(sign, this.flags.i) };
  }
  /** What a class escape stands for within brackets, or null. */
  inner(sign) {
    if (sign in PERL) return PERL[sign];
    const lower = sign.toLowerCase();
    if (sign !== lower && lower in PERL) return { not: PERL[lower] };
    if (lower !== "p") return null;
    const name = /^(?:\{(\^?)([A-Za-z_]+)\}|([A-Z]))/.exec(this.source.slice(this.at, this.at + 40));
    if (!name) throw new Refused("an unknown property");
    this.at += name[0].length;
    const property = name[2] ?? name[3];
    const negative = (sign === "P") !== (name[1] === "^");
    for (const spelled of [property, `Script=${property}`]) {
      try {
        new RegExp(`\\p{${spelled}}`, "u");
        return negative ? `\\P{${spelled}}` : `\\p{${spelled}}`;
      } catch {
        continue;
      }
    }
    throw new Refused("an unknown property");
  }
  hex(sign) {
    if (sign !== "x") return null;
    const hit = /^(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/.exec(this.source.slice(this.at, this.at + 10));
    if (!hit) throw new Refused("an unknown escape");
    this.at += hit[0].length;
    return String.fromCodePoint(Number.parseInt(hit[1] ?? hit[2], 16));
  }
  bracket() {
    const negative = this.source[this.at] === "^";
    if (negative) this.at++;
    let inside = "";
    const outside = [];
    for (let first = true; first || this.source[this.at] !== "]"; first = false) {
      if (this.at >= this.source.length) throw new Refused("a class is not closed");
      const posix = /^\[:(\^?)([a-z]+):\]/.exec(this.source.slice(this.at, this.at + 14));
      if (posix) {
        if (!(posix[2] in POSIX)) throw new Refused("an unknown class");
        this.at += posix[0].length;
        if (posix[1]) outside.push(POSIX[posix[2]]);
        else inside += POSIX[posix[2]];
        continue;
      }
      const low = this.classMember();
      if (typeof low !== "number") {
        if (typeof low === "string") inside += low;
        else outside.push(low.not);
        continue;
      }
      let high = low;
      if (this.source[this.at] === "-" && this.source[this.at + 1] !== "]" && this.at + 1 < this.source.length) {
        this.at++;
        high = this.classMember();
        if (typeof high !== "number" || high < low) throw new Refused("a range that is none");
      }
      inside += `\\u{${low.toString(16)}}-\\u{${high.toString(16)}}`;
    }
    this.at++;
    const tests = outside.map((one) => member({ not: one }, false, false));
    if (inside) tests.push(member(inside, false, this.flags.i));
    const some = (sign) => tests.some((test) => test(sign));
    return { op: "sign", test: negative ? (sign) => !some(sign) : some };
  }
  classMember() {
    const sign = String.fromCodePoint(this.source.codePointAt(this.at));
    this.at += sign.length;
    if (sign !== "\\") return sign.codePointAt(0);
    const escaped = this.source[this.at++] ?? "";
    const inside = this.inner(escaped);
    if (inside !== null) return inside;
    if (escaped in CONTROLS) return CONTROLS[escaped].codePointAt(0);
    const code = this.hex(escaped);
    if (code !== null) return code.codePointAt(0);
    if (!escaped || /[A-Za-z0-9]/.test(escaped)) throw new Refused("an unknown escape");
    return escaped.codePointAt(0);
  }
}

function literal(sign, fold) {
  if (!fold) return (other) => other === sign;
  const same = new RegExp(`^\\u{${sign.codePointAt(0).toString(16)}}$`, "iu");
  return (other) => other === sign || same.test(other);
}

function member(inside, negative, fold) {
  const [text, not] = typeof inside === "string" ? [inside, negative] : [inside.not, !negative];
  const expression = new RegExp(`^[${not ? "^" : ""}${text.replaceAll("\\0", "\\x00")}]$`, fold ? "isu" : "su");
  return (sign) => expression.test(sign);
}

// -- building -----------------------------------------------------------------------------

class Compiler {
  #code = [];
  program({ node, groups }) {
    this.#emit(node);
    this.#push({ op: "match" });
    return { code: this.#code, slots: 2 * groups, automaton: new Automaton(this.#code) };
  }
  #push(step) {
    if (this.#code.length >= MOST_STATES) throw new Refused("too large");
    this.#code.push(step);
    return this.#code.length - 1;
  }
  #emit(node) {
    if (node.op === "and") for (const item of node.items) this.#emit(item);
    else if (node.op === "or") this.#either(node.branches);
    else if (node.op === "group") {
      this.#push({ op: "save", slot: 2 * node.number - 2 });
      this.#emit(node.item);
      this.#push({ op: "save", slot: 2 * node.number - 1 });
    } else if (node.op === "repeat") this.#repeat(node);
    else this.#push(node);
  }
  #either(branches) {
    const ends = [];
    branches.forEach((branch, k) => {
      if (k === branches.length - 1) return this.#emit(branch);
      const split = this.#push({ op: "split", to: [] });
      this.#code[split].to = [split + 1];
      this.#emit(branch);
      ends.push(this.#push({ op: "jump" }));
      this.#code[split].to.push(this.#code.length);
      return undefined;
    });
    for (const end of ends) this.#code[end].to = this.#code.length;
  }
  #repeat({ item, least, most, lazy }) {
    for (let k = 0; k < least - (most === Infinity && least ? 1 : 0); k++) this.#emit(item);
    if (most === Infinity) {
      if (least) {
        const start = this.#code.length;
        this.#emit(item);
        const split = this.#push({ op: "split", to: [] });
        this.#code[split].to = order(start, split + 1, lazy);
        return;
      }
      const split = this.#push({ op: "split", to: [] });
      this.#emit(item);
      this.#push({ op: "jump", to: split });
      this.#code[split].to = order(split + 1, this.#code.length, lazy);
      return;
    }
    const splits = [];
    for (let k = least; k < most; k++) {
      splits.push(this.#push({ op: "split", to: [] }));
      this.#emit(item);
    }
    for (const split of splits) this.#code[split].to = order(split + 1, this.#code.length, lazy);
  }
}

function order(into, past, lazy) {
  return lazy ? [past, into] : [into, past];
}

// -- running ------------------------------------------------------------------------------

function run({ code, slots }, text, from, budget) {
  let threads = [];
  let best = null;
  const marks = new Int32Array(code.length).fill(-1);
  for (let at = from; ; ) {
    const sign = at < text.length ? String.fromCodePoint(text.codePointAt(at)) : "";
    const next = [];
    if (!best) add(code, threads, marks, 0, at, { start: at, saved: new Array(slots).fill(-1) }, text, budget);
    for (const { pc, held } of threads) {
      const step = code[pc];
      if (step.op === "match") {
        best = { ...held, end: at };
        break;
      }
      next.push([pc, held]);
    }
    if (at >= text.length || (best && !next.length)) break;
    const seen = at + sign.length;
    threads = [];
    for (const [pc, held] of next) {
      if (takes(code[pc], sign)) add(code, threads, marks, pc + 1, seen, held, text, budget);
    }
    at = seen;
    if (budget.steps <= 0) break;
  }
  if (!best) return null;
  const groups = [];
  for (let k = 0; k < slots; k += 2) {
    const [start, end] = [best.saved[k], best.saved[k + 1]];
    groups.push(start >= 0 && end >= 0 ? [start, end] : [-1, -1]);
  }
  return { start: best.start, end: best.end, groups };
}

/** Follow the steps that take no character, in order of preference. */
function add(code, threads, marks, pc, at, held, text, budget) {
  const stack = [[pc, held]];
  while (stack.length) {
    const [place, own] = stack.pop();
    if (marks[place] === at) continue;
    marks[place] = at;
    budget.steps -= 1;
    const step = code[place];
    if (step.op === "jump") stack.push([step.to, own]);
    else if (step.op === "split") stack.push([step.to[1], own], [step.to[0], own]);
    else if (step.op === "save") {
      const saved = own.saved.slice();
      saved[step.slot] = at;
      stack.push([place + 1, { ...own, saved }]);
    } else if (step.op === "place") {
      if (holds(step.place, text, at)) stack.push([place + 1, own]);
    } else threads.push({ pc: place, held: own });
  }
}

function holds(place, text, at) {
  if (place === "start") return at === 0;
  if (place === "end") return at === text.length;
  if (place === "lineStart") return at === 0 || text[at - 1] === "\n";
  if (place === "lineEnd") return at === text.length || text[at] === "\n";
  const inside = isWord(text[at - 1]) !== isWord(text[at]);
  return place === "b" ? inside : !inside;
}

function isWord(sign) {
  return sign !== undefined && /\w/.test(sign);
}
