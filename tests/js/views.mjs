// The views of texts: node views.mjs < texts (a JSON string a line) > a JSON list of texts a line.

import { createInterface } from "node:readline";
import { needsNames, useNames } from "../../site/errdex_site/static/match/html.js";
import { entities } from "../../site/errdex_site/static/match/entities.js";
import { viewsOf } from "../../site/errdex_site/static/match/views/views.js";

for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  if (needsNames(text)) useNames(entities);
  console.log(JSON.stringify(viewsOf(text).map((view) => view.text)));
}
