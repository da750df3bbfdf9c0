// The small scripts of an error's page, as pure functions.

import assert from "node:assert/strict";
import { test } from "node:test";

import { markdownLink } from "../../site/errdex_site/static/copy.js";
import { lookupFile, shortId, target } from "../../site/errdex_site/static/resolve.js";
import { looksSecret, parseValues, placeholderName, printable, valuesFragment } from "../../site/errdex_site/static/values.js";

test("values come back as they went in", () => {
  const values = new Map([["a b", "1&2=3%"], ["é", "x y"]]);
  assert.deepEqual(parseValues(valuesFragment(values)), values);
});

test("the fragment is what the pages' own links carry", () => {
  assert.equal(valuesFragment(new Map([["a b", "1&2=3"], ["c", "é"]])), "#v=a%20b=1%262%3D3&c=%C3%A9");
});

test("what is no fragment of values gives none", () => {
  for (const fragment of ["", "#", "#main", "#v=", "#v=x", "#v==y", "#v=%E0%A4%A=1", "#x=1"]) {
    assert.equal(parseValues(fragment).size, 0, fragment);
  }
});

test("long values and those beyond the thirtieth are left out", () => {
  assert.equal(parseValues(`#v=a=${"x".repeat(501)}`).size, 0);
  const many = Array.from({ length: 50 }, (_, at) => `n${at}=1`).join("&");
  assert.equal(parseValues(`#v=${many}`).size, 30);
});

test("what looks like a secret is dropped", () => {
  const secrets = [
    "ghp_0123456789abcdefghijABCDEFGHIJ",
    "sk-proj-abcdefghijklmnop0123",
    "AKIAABCDEFGHIJKLMNOP",
    "hf_abcdefghijklmnopqrstuv",
    "postgres://me:hunter2@db/x",
    "password=hunter2",
    "Bearer abcdef123456",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
    "-----BEGIN RSA PRIVATE KEY-----",
    "aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3",
  ];
  for (const secret of secrets) {
    assert.ok(looksSecret(secret), secret);
    assert.equal(parseValues(`#v=${encodeURIComponent("x")}=${encodeURIComponent(secret)}`).size, 0, secret);
  }
});

test("ordinary values are no secrets", () => {
  for (const value of ["does not support X=1", "/usr/lib/python3.11/site.py", "0132848349585cfe6aae51c4941cbae872505f8a", "404", "torch.float16", "https://example.com/a?b=c"]) {
    assert.ok(!looksSecret(value), value);
  }
});

test("a placeholder's name is what stands in its braces", () => {
  assert.equal(placeholderName("{a b}"), "a b");
  for (const text of ["a", "{}", "{a", "{a}{b}"]) assert.equal(placeholderName(text), null, text);
});

test("controls and direction marks become visible", () => {
  assert.equal(printable("a\u202eb\u001bc"), "a⟨U+202E⟩b␛c");
});

test("a Markdown link holds the message on one line, without markup of its own", () => {
  assert.equal(markdownLink("a [b](c)\n *d*", "https://x.example/e/1"), "[a \\[b\\](c) \\*d\\*](https://x.example/e/1)");
  assert.ok(markdownLink("x".repeat(1000), "y").length < 220);
});

test("a short link is told by its path alone", () => {
  assert.equal(shortId("e/AAEAD811D0809FEF/"), "aaead811d0809fef");
  assert.equal(shortId("/e/ERR-aaead811d0809fef"), "aaead811d0809fef");
  for (const path of ["", "e/", "e/aaead811", "x/e/aaead811d0809fef", "e/aaead811d0809fef/x"]) assert.equal(shortId(path), null, path);
  assert.equal(lookupFile("aaead811d0809fef"), "e/ids/aa.json");
});

test("an id leads nowhere but to a path of this site", () => {
  assert.equal(target("a", { a: "o/r/s" }), "o/r/s/");
  for (const path of ["//evil.example/x", "https://evil.example/", "javascript:x", "", "x", null, 1]) {
    assert.equal(target("a", { a: path }), null, String(path));
  }
  assert.equal(target("constructor", {}), null);
});
