// An answer as elements of the page: text goes in as text, never as mark-up.

import { errorPath, valuesFragment } from "./addresses.js";
import { excerpt, grouped, shorten } from "./excerpt.js";
import { printable } from "../values.js";

/** Everything that is said about an answer to `text`. `root` is the address of the site. */
export function answerElements(text, answer, root) {
  if (answer.problem) return [problem(answer.problem)];
  const { groups, hints } = grouped(answer.matches);
  const item = (match) => matchElement(text, match, root);
  const out = [];
  if (answer.secret) {
    const strong = element("strong", {}, "The text seems to hold a secret.");
    const rest = " It stays on this page, but change that password, key or token before you share the text with anyone.";
    out.push(element("p", { class: "notice" }, strong, rest));
  }
  if (groups.length) out.push(element("h2", {}, "Found"));
  else out.push(element("h2", {}, "Nothing known"), element("p", {}, "No error on record has a message that this text holds."));
  groups.forEach((group, place) => {
    if (group.length > 1) out.push(element("p", { class: "equal" }, `These ${group.length} fit equally well:`));
    out.push(element("ol", { class: place ? "answers" : "answers best" }, ...group.map(item)));
  });
  if (hints.length) {
    const why = "They share words with the text, but not enough to say that it is one of them.";
    out.push(element("h2", {}, "Weak hints"), element("p", {}, why));
    out.push(element("ul", { class: "answers" }, ...hints.map(item)));
  }
  if (answer.neighbours?.length) {
    const near = answer.neighbours.map(({ record, words }) =>
      item({ ...record, values: {}, spans: [], reasons: [`has ${words.join(", ")}`] }),
    );
    out.push(element("h2", {}, "Errors with the same words"), element("ul", { class: "answers" }, ...near));
  }
  return out;
}

/** One sentence for people who do not see the page change. */
export function summary(answer) {
  if (answer.problem) return "";
  const found = answer.matches.filter((match) => match.claimed);
  if (!found.length) return "Nothing known.";
  const first = `${found[0].errorClass ? `${found[0].errorClass}: ` : ""}${shorten(found[0].errorMessage, 120)}`;
  return `${found.length} found. First: ${first}`;
}

function problem(kind) {
  const said =
    kind === "overtaken"
      ? "The site was renewed while this page was open. Reload the page to match again."
      : `Matching did not work: ${printable(kind)}. Check your connection and try again; the text is still here.`;
  return element("p", { class: "notice" }, said);
}

function matchElement(text, match, root) {
  const href = root + errorPath(match.repo, match.slug).slice(1) + valuesFragment(match.values);
  const item = element("li", {}, element("a", { class: "found", href }, printable(shorten(match.errorMessage, 300))));
  const facts = element("p", { class: "facts" });
  if (match.errorClass) facts.append(element("span", { class: "class" }, printable(shorten(match.errorClass, 80))));
  if (match.errorCode) facts.append(element("span", {}, printable(shorten(match.errorCode, 60))));
  facts.append(element("span", {}, match.repo));
  item.append(facts);
  const pieces = excerpt(text, match.spans).map((piece) => (piece.hit ? element("mark", {}, printable(piece.text)) : printable(piece.text)));
  if (pieces.length) {
    const box = { class: "excerpt", tabindex: "0", role: "region", "aria-label": `Where it was found: line ${match.line}` };
    item.append(element("pre", box, element("code", {}, ...pieces)));
  }
  const values = Object.entries(match.values).map(([name, value]) =>
    element("div", {}, element("dt", {}, printable(shorten(name, 60))), element("dd", {}, element("code", {}, printable(shorten(value, 200))))),
  );
  if (values.length) item.append(element("dl", { class: "values" }, ...values));
  const reasons = match.reasons.map((reason) => element("span", {}, printable(shorten(reason, 200))));
  if (reasons.length) item.append(element("p", { class: "why" }, ...reasons));
  return item;
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
