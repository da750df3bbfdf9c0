// What only the browser's engine has: filters, the linear engine, paths, excerpts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorPath, valuesFragment } from "../../site/errdex_site/static/match/addresses.js";
import { excerpt, grouped, shorten } from "../../site/errdex_site/static/match/excerpt.js";
import { Index, Overtaken } from "../../site/errdex_site/static/match/index.js";
import { linear } from "../../site/errdex_site/static/match/linear.js";
import { count, find, round } from "../../site/errdex_site/static/match/text.js";

const spans = (source, text) => Array.from(linear(source, text), ({ start, end, groups }) => [start, end, ...groups]);

test("the linear engine prefers the earlier alternative and the greedier repeat", () => {
  assert.deepEqual(spans("a|ab", "ab"), [[0, 1]]);
  assert.deepEqual(spans("(a+)(a*)", "aaa"), [[0, 3, [0, 3], [3, 3]]]);
  assert.deepEqual(spans("(a+?)(a*)", "aaa"), [[0, 3, [0, 1], [1, 3]]]);
});

test("the linear engine reads RE2's syntax", () => {
  assert.deepEqual(spans("(?i)straße|K", "STRASSE k"), [[8, 9]]);
  assert.deepEqual(spans("(?P<n>[[:digit:]]{2,3})\\z", "1 234"), [[2, 5, [2, 5]]]);
  assert.deepEqual(spans("(?m)^\\w+$", "ab\ncd"), [[0, 2], [3, 5]]);
  assert.deepEqual(spans("\\Qa.b\\E[^\\s\\pL]", "a.b1"), [[0, 4]]);
});

test("the linear engine refuses what RE2 refuses", () => {
  for (const source of ["(?=a)", "(a)\\1", "a**", "a{1001}", "(", "a)", "[b-a]", "(?<!a)b"]) {
    assert.deepEqual(spans(source, "aaaa b"), [], source);
  }
});

test("an expression that explodes elsewhere takes time in line with the text here", () => {
  const text = "a".repeat(5000);
  assert.deepEqual(spans("(a|a)*(a|aa)+(a*)*b", text), []);
  assert.deepEqual(spans("(x+x+)+y", "x".repeat(5000)), []);
});

test("round gives halves to the even neighbor, as Python does", () => {
  assert.equal(round(62.5, 0), 62);
  assert.equal(round(63.5, 0), 64);
  assert.equal(round(0.03125, 4), 0.0312);
  assert.equal(round(0.12345, 4), 0.1235);
  assert.equal(round(0.98765, 4), 0.9877);
  assert.equal(round(0, 4), 0);
});

test("find and count know Python's bounds", () => {
  assert.equal(find("abcabc", "c", 3, 5), -1);
  assert.equal(find("abcabc", "c", -1), 5);
  assert.equal(find("abc", "", 4), -1);
  assert.equal(count("a.b.c", ".", 2), 1);
});

test("paths and fragments are those of the site", () => {
  assert.equal(errorPath("acme/con", "a-b"), "/acme/~con/a-b/");
  assert.equal(errorPath("data/x", "a"), "/~data/x/a/");
  assert.equal(valuesFragment({ "na me": "a&b='()*!~" }), "#v=na%20me=a%26b%3D%27%28%29%2A%21~");
  assert.equal(valuesFragment({}), "");
});

test("an excerpt marks the matched stretches and keeps to their lines", () => {
  const pieces = excerpt("before\nValueError: bad 7 thing\nafter", [{ start: 19, end: 22 }, { start: 24, end: 30 }]);
  assert.deepEqual(pieces.map(({ text, hit }) => (hit ? `<${text}>` : text)).join(""), "ValueError: <bad> 7< thing>".replace("> 7<", "> 7<"));
});

test("an excerpt of a very long line is cut", () => {
  const text = `${"x".repeat(9000)}bad${"y".repeat(9000)}`;
  const total = excerpt(text, [{ start: 9000, end: 9003 }]).reduce((sum, piece) => sum + piece.text.length, 0);
  assert.equal(total, 200 + 3 + 200);
});

test("equal answers are grouped, and hints stand apart", () => {
  const match = (group, claimed) => ({ group, claimed });
  const { groups, hints } = grouped([match(0, true), match(0, true), match(1, true), match(2, false)]);
  assert.deepEqual(groups.map((group) => group.length), [2, 1]);
  assert.equal(hints.length, 1);
  assert.equal(shorten("abcdef", 4), "abc…");
});

const ROOT = {
  form: 3,
  version: "0123456789ab",
  hints: 0,
  bits: 4,
  exact: { seed: 0, bits: 1, segment: 4, range: 4, cells: "AAAAAAAA" },
  loose: [],
  looseBits: 0,
  sources: [],
  steps: [],
  told: {},
};

test("a fetch that failed is tried again", async () => {
  let times = 0;
  const index = new Index(async () => {
    times += 1;
    throw new Error("offline");
  });
  await assert.rejects(index.open(), /offline/);
  await assert.rejects(index.open(), /offline/);
  assert.equal(times, 2);
});

test("a shard that is no longer there tells that the site was built anew", async () => {
  const index = new Index(async (path) => (path === "/match/index.json" ? { ...ROOT } : null));
  await index.open();
  await assert.rejects(index.records({ number: 1, records: null }), Overtaken);
});

test("files are asked for by the version of the root, so that no cache mixes two builds", async () => {
  const asked = [];
  const index = new Index(async (path) => {
    asked.push(path);
    return path === "/match/index.json" ? { ...ROOT } : [];
  });
  await index.open();
  await index.records({ number: 1, records: null });
  assert.deepEqual(asked, ["/match/index.json", "/match/index/r/1.json?0123456789ab"]);
});

test("a build that came between the root and a shard is noticed", async (context) => {
  context.mock.timers.enable({ apis: ["Date"] });
  let version = ROOT.version;
  const index = new Index(async (path) => {
    if (path === "/match/index.json") return { ...ROOT };
    return path === "/match/index/version.json" ? version : [];
  });
  await index.open();
  context.mock.timers.tick(60_000);
  await index.records({ number: 1, records: null });
  await index.settle();
  version = "ba9876543210";
  await index.settle(); // nothing was fetched since
  context.mock.timers.tick(60_000);
  await index.records({ number: 2, records: null });
  await assert.rejects(index.settle(), Overtaken);
});

test("an index of another form than the scripts know is refused", async () => {
  const index = new Index(async () => ({ ...ROOT, form: 1 }));
  await assert.rejects(index.open(), Overtaken);
});
