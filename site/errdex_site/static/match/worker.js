// The worker: holds the index and answers texts, the newest of which is the only one that counts.

import { information } from "./constants.js";
import { Matcher } from "./engine.js";
import { Index, Overtaken } from "./index.js";

/** Answer the messages `{id, text}` of a page; `here` is this script's address. */
export function serve(scope, here) {
  const index = new Index((path, fresh) => read(new URL(`..${path}`, here), fresh));
  const mark = new URL(here).search; // scripts of one build only
  const load = (name) => import(new URL(`match/${name}.js${mark}`, here).href);
  const matcher = new Matcher(index, load);
  let newest = 0;
  let running = Promise.resolve();
  scope.addEventListener("message", ({ data: { id, text } }) => {
    newest = id;
    running = running.then(async () => {
      if (id !== newest) return;
      const early = (found) => scope.postMessage({ id, early: true, ...found });
      const found = await answer(matcher, index, text, early);
      const unknown = !found.problem && !found.matches.some((match) => match.claimed);
      if (unknown) early(found);
      const neighbours = unknown && id === newest ? await near(load, index, text, found.matches) : [];
      scope.postMessage({ id, early: false, ...found, neighbours });
    });
  });
  index.open().catch(() => {}); // while the reader still types
}

async function answer(matcher, index, text, early) {
  for (let again = true; ; again = false) {
    try {
      const found = await matcher.match(text, 10, early);
      await index.settle();
      return found;
    } catch (problem) {
      if (problem instanceof Overtaken && again) index.clear();
      else return { problem: problem instanceof Overtaken ? "overtaken" : String(problem?.message ?? problem) };
    }
  }
}

/** Errors with the same words; none where they cannot be had, since they are only guesses. */
async function near(load, index, text, matches) {
  try {
    const { neighbours } = await load("words");
    return await neighbours(text, {
      common: information.COMMON_WORDS,
      wordRow: (word) => index.wordRow(word),
      rowOf: (number, shard) => index.rowOf(number, shard),
      recordsOf: (row) => index.records(row),
      shown: new Set(matches.map((match) => match.id)),
    });
  } catch {
    return [];
  }
}

async function read(address, fresh) {
  const response = await fetch(address, { cache: fresh ? "no-cache" : "default", credentials: "omit" });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${response.status} for ${address.pathname}`);
  return response.json();
}
