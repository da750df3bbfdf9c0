// Whether an expression matches anywhere in a text: a deterministic automaton, built as it runs.
//
// A state is a set of steps of the program that linear.js compiles, and what the character before
// it was. From a state, a character that was seen there before leads on by one look into a table,
// however many ways the expression could go: most texts hold no match, and this tells so far sooner
// than the machine that also keeps track of groups.

const MOST_STATES = 2000;
const MOST_STEPS = 5_000_000;

const FIRST = 1;
const LINE = 2;
const WORD = 4;

const MATCH = Symbol("a match");

export class Automaton {
  #code;
  #states = new Map();

  constructor(code) {
    this.#code = code;
  }

  /** False if nothing matches from `from` on; true if something does, or telling would take too long. */
  mayMatch(text, from) {
    const budget = { steps: MOST_STEPS };
    const before = from === 0 ? -1 : text.charCodeAt(from - 1);
    let state = this.#state([], sideOf(before));
    for (let at = from; ; ) {
      const point = at < text.length ? text.codePointAt(at) : -1;
      let next = state.after.get(point);
      if (next === undefined) {
        next = this.#next(state, point, budget);
        state.after.set(point, next);
      }
      if (next === MATCH || budget.steps <= 0) return true;
      if (point < 0) return false;
      state = next;
      at += point > 0xffff ? 2 : 1;
    }
  }

  #state(places, before) {
    const key = `${before}:${places}`;
    let state = this.#states.get(key);
    if (!state) {
      if (this.#states.size >= MOST_STATES) this.#states.clear();
      state = { places, before, after: new Map() };
      this.#states.set(key, state);
    }
    return state;
  }

  /** Where a character leads; a match may begin anywhere, so the program's start is in every state. */
  #next(state, point, budget) {
    const after = sideOf(point);
    const sign = point < 0 ? "" : String.fromCodePoint(point);
    const reached = new Set();
    const stack = [0, ...state.places];
    const seen = new Set();
    while (stack.length) {
      const place = stack.pop();
      if (seen.has(place)) continue;
      seen.add(place);
      budget.steps -= 1;
      const step = this.#code[place];
      if (step.op === "match") return MATCH;
      if (step.op === "jump") stack.push(step.to);
      else if (step.op === "split") stack.push(...step.to);
      else if (step.op === "save") stack.push(place + 1);
      else if (step.op === "place") {
        if (lies(step.place, state.before, after)) stack.push(place + 1);
      } else if (sign && takes(step, sign)) reached.add(place + 1);
    }
    return this.#state(Array.from(reached).sort((one, other) => one - other), after);
  }
}

/** True if the step takes the character. */
export function takes(step, sign) {
  return step.op === "any" ? !step.line || sign !== "\n" : step.test(sign);
}

/** What a place must know of the character on one side of it; -1 stands for the text's end. */
function sideOf(point) {
  if (point < 0) return FIRST | LINE;
  if (point === 10) return LINE;
  return point < 128 && /\w/.test(String.fromCharCode(point)) ? WORD : 0;
}

function lies(place, before, after) {
  if (place === "start") return (before & FIRST) !== 0;
  if (place === "end") return (after & FIRST) !== 0;
  if (place === "lineStart") return (before & LINE) !== 0;
  if (place === "lineEnd") return (after & LINE) !== 0;
  return ((before & WORD) !== (after & WORD)) === (place === "b");
}
