// Which patterns the browser's linear engine finds in their texts: a pair of them a line.

import { createInterface } from "node:readline";
import { linear } from "../../site/errdex_site/static/match/linear.js";

for await (const line of createInterface({ input: process.stdin })) {
  const [pattern, text] = JSON.parse(line);
  let found = false;
  for (const { start, end } of linear(pattern, text)) {
    found = end > start;
    if (found) break;
  }
  console.log(found);
}
