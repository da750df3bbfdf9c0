// The one way from a text to its records, as errdex/match/engine.py.

import { engine as K, finding as F, index as I, rank as R } from "./constants.js";
import { Scene } from "./evidence.js";
import { explainedKeys, findExact, findPartial, literalSpans } from "./finding.js";
import { needsNames, useNames } from "./html.js";
import { keysOf } from "./keys.js";
import { isAnswer, judge, score } from "./rank.js";
import { maskTexts, secretTexts } from "./secrets.js";
import { compare, count, firstLines, head, round } from "./text.js";
import { captured, groupNames } from "./values.js";
import { needsLinear, useLinear } from "./verify.js";
import { viewsForParts, viewsOf } from "./views/views.js";

/** Matches texts against an index. */
export class Matcher {
  #index;
  #load;
  /** `load(name)` imports a module of this folder that few texts need. */
  constructor(index, load) {
    this.#index = index;
    this.#load = load;
  }

  /** The records that `text` holds the message of, best first: `{matches, secret}`. Spans are
      offsets into the string. `early` is given an answer of the exact matches alone as soon as
      one of them is claimed; what is returned may have more below it, or, rarely, above. */
  async match(text, limit = 10, early = null) {
    text = firstLines(head(text, K.LONGEST_TEXT), K.MOST_LINES);
    if (needsNames(text)) useNames((await this.#load("entities")).entities);
    const views = viewsOf(text);
    const secrets = secretTexts(views.map((view) => view.text));
    const answer = async (findings) => {
      const ordered = [...findings].sort((a, b) => b.literalBits - a.literalBits || a.row.number - b.row.number);
      const ranked = await this.#ranked(ordered, text, limit);
      return { matches: matchesOf(text, ranked, limit, secrets), secret: secrets.length > 0 };
    };
    const tell = async (exact) => {
      const found = await answer(exact);
      if (found.matches.some((match) => match.claimed)) early(found);
    };
    return answer(await this.#findings(views, early && tell));
  }

  async #findings(views, early) {
    const texts = views.map((view) => view.text);
    const keys = keysOf(texts);
    const candidates = await this.#index.exactCandidates([...keys], texts);
    if (candidates.some((row) => needsLinear(row.pattern))) useLinear((await this.#load("linear")).linear);
    const findings = findExact(candidates, views);
    const explained = explainedKeys(findings);
    for (const key of explained) keys.delete(key);
    const found = new Set(findings.map((finding) => finding.row.number));
    const answered = findings.some((finding) => finding.literalBits >= F.ENOUGH_TO_EXPLAIN);
    if (findings.length && early) await early(findings);
    const most = answered ? I.MOST_PROMISING_BESIDE : I.MOST_PROMISING;
    const promising = await this.#index.promisingCandidates(keys, found, most);
    findings.push(...findPartial(promising, viewsForParts(views), !answered));
    return findings;
  }

  async #ranked(findings, text, limit) {
    const scenes = new Map();
    const ranked = [];
    let bound = 0;
    let answered = false;
    for (const finding of findings) {
      if (ranked.length >= limit && finding.literalBits + R.MOST_EVIDENCE < bound) break;
      if (answered && finding.literalBits < R.ENOUGH_WITH_EVIDENCE) break;
      const most = finding.literalBits >= R.ENOUGH_WITH_EVIDENCE ? K.MOST_RECORDS : limit;
      if (!scenes.has(finding.view)) scenes.set(finding.view, new Scene(finding.view.text, text));
      const scene = scenes.get(finding.view);
      const place = scene.place(finding.occurrence.start, finding.occurrence.end);
      for (const row of (await this.#index.records(finding.row)).slice(0, most)) {
        const verdict = judge(row, scene, place, finding.literalBits, finding.said);
        const claimed = isAnswer(verdict, finding, place);
        answered ||= claimed;
        ranked.push({ finding, row, verdict, claimed });
      }
      if (ranked.length >= limit) {
        bound = ranked.map((one) => one.verdict.bits).sort((a, b) => b - a)[limit - 1];
      }
    }
    return ranked.sort((a, b) => compareStanding(standing(a), standing(b)) || compare(a.row.id, b.row.id));
  }
}

/** What ranks before what, each the smaller the better. Where the evidence is the same, as literals
 * count up to a limit only, a whole message stands before a part of another. */
function standing({ claimed, verdict, finding }) {
  return [claimed ? 0 : 1, -round(verdict.bits, 6), finding.tier === "exact" ? 0 : 1];
}

function compareStanding(a, b) {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function matchesOf(text, ranked, limit, secrets) {
  const out = [];
  const seen = new Set();
  let group = -1;
  let last = null;
  for (const one of ranked) {
    if (out.length === limit) break;
    if (seen.has(one.row.id)) continue;
    seen.add(one.row.id);
    if (last === null || compareStanding(last, standing(one))) group += 1;
    last = standing(one);
    out.push(matchOf(text, one, group, secrets));
  }
  return out;
}

function matchOf(text, { finding, row, verdict, claimed }, group, secrets) {
  const { view, occurrence } = finding;
  const values = captured(view, occurrence, groupNames(finding.row.pattern, row.errorMessage));
  let { reasons } = verdict;
  if (secrets.length) {
    for (const name of Object.keys(values)) values[name] = maskTexts(values[name], secrets);
    reasons = reasons.map((reason) => maskTexts(reason, secrets));
  }
  const spans = literalSpans(occurrence)
    .filter(([start, end]) => end > start)
    .map(([start, end]) => view.rawSpan(start, end));
  const first = spans.length ? Math.min(...spans.map(([start]) => start)) : view.raw(occurrence.start);
  return {
    id: row.id,
    repo: row.repo,
    slug: row.slug,
    errorClass: row.errorClass,
    errorCode: row.errorCode,
    errorMessage: row.errorMessage,
    severity: row.severity,
    tier: finding.tier,
    score: score(verdict),
    claimed,
    group,
    coverage: round(finding.coverage, 4),
    values,
    reasons,
    spans: spans.map(([start, end]) => ({ start, end })),
    line: count(text, "\n", 0, first) + 1,
  };
}
