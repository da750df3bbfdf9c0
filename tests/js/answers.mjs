// Answers of the browser's engine, run by Node on the files of an index:
// node answers.mjs FOLDER < texts (a JSON string a line) > answers (a JSON object a line).
// Spans are told in characters, as Python counts them.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

const source = process.env.ERRDEX_ENGINE ?? "../../site/errdex_site/static/match";
const { Matcher } = await import(`${source}/engine.js`);
const { Index } = await import(`${source}/index.js`);
const { length } = await import(`${source}/text.js`);

const folder = process.argv[2];
let reads = 0;

async function read(path) {
  reads += 1;
  try {
    return JSON.parse(await readFile(folder + path.split("?")[0], "utf8"));
  } catch (problem) {
    if (problem.code === "ENOENT") return null;
    throw problem;
  }
}

const matcher = new Matcher(new Index(read), (name) => import(`${source}/${name}.js`));
for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  reads = 0;
  const started = performance.now();
  const { matches, secret } = await matcher.match(text);
  const took = performance.now() - started;
  for (const match of matches) {
    match.spans = match.spans.map(({ start, end }) => ({
      start: length(text.slice(0, start)),
      end: length(text.slice(0, end)),
    }));
  }
  console.log(JSON.stringify({ matches, secret, reads, took }));
}
