// The sharded index, fetched file by file as texts need them; errdex_site/shards.py writes it.

import { Filter } from "./filter.js";
import { index as K } from "./constants.js";
import { bits } from "./information.js";
import { crc32, folded } from "./keys.js";
import { restore, templatePattern } from "./patterns.js";

const FORM = 3; // of the files, as errdex_site/shards.py counts
const SHARD_COST = 2000; // bytes that a request and its answer are worth
const HINT_BITS = 2.5; // of the filter of hints, each key
const WINDOW = 8; // bytes, and
const MARK_BITS = 20; // bits of its hash that the root names, as errdex_site/loose.py says
const FRESH_MS = 2000;
const MOST_KEPT = 4000;

/** The site was built anew since the root was read. */
export class Overtaken extends Error {}

export class Index {
  #read;
  #opening = null;
  #root = null;
  #hints = null;
  #files = new Map();
  #patterns = new Map();
  #checked = 0;
  #fetched = false;

  /** `read(path, fresh)` gives a file's JSON, null where there is none; paths begin at the site's root.
      `fresh` asks the server whether what is kept of it still holds. */
  constructor(read) {
    this.#read = read;
  }

  /** Forget everything, as after a new build. */
  clear() {
    this.#opening = this.#root = this.#hints = null;
    this.#files.clear();
    this.#patterns.clear();
    this.#fetched = false;
  }

  /** Throws Overtaken when files may have been fetched from another build than the root's. To be
      asked after a match, before its answer is relied upon. */
  async settle() {
    if (!this.#fetched || Date.now() - this.#checked < FRESH_MS) return;
    const version = await this.#read("/match/index/version.json", true);
    if (version !== this.#root?.version) throw new Overtaken();
    this.#checked = Date.now();
    this.#fetched = false;
  }

  /** The patterns whose exact key is among the keys of the texts, and those that have none. */
  async exactCandidates(keys, texts) {
    const root = await this.open();
    const likely = keys.filter((key) => root.exact.has(key));
    const [shards, loose] = await Promise.all([this.#shards(likely), this.#looseOf(texts)]);
    const found = new Set([...root.patterns, ...loose.flat()]);
    for (const key of likely) {
      for (const number of shards.get(this.#shardOf(key)).filed.get(key)?.exact ?? []) {
        found.add(this.#known(number));
      }
    }
    return [...found];
  }

  /** The patterns, at most `most`, of which a text most likely holds a part, most likely first. */
  async promisingCandidates(keys, leaveOut, most) {
    const likely = (await this.#likelyHints(keys)).sort((a, b) => a - b);
    const shards = await this.#shards(likely);
    const promise = new Map();
    const home = new Map();
    for (const key of likely) {
      const row = shards.get(this.#shardOf(key)).filed.get(key);
      if (!row) continue;
      const numbers = [...row.exact, ...row.hints.keys()];
      for (const [number, shard] of row.hints) home.set(number, shard);
      for (const number of numbers) promise.set(number, (promise.get(number) ?? 0) + 1 / numbers.length);
    }
    const left = [...promise.keys()].filter((number) => promise.get(number) >= K.LEAST_PROMISE && !leaveOut.has(number));
    left.sort((a, b) => promise.get(b) - promise.get(a) || a - b);
    const chosen = left.slice(0, most);
    const away = chosen.filter((number) => !this.#patterns.has(number));
    await Promise.all(away.map((number) => this.#shard(home.get(number))));
    return chosen.map((number) => this.#known(number));
  }

  /** The records of a pattern. */
  async records(row) {
    row.records ??= (await this.#file(`r/${row.number}`)).map(record);
    return row.records;
  }

  /** `[pattern, its shard, …]` of a word; null where no pattern has it, or too many have. */
  async wordRow(word) {
    const { wordBits } = await this.open();
    const data = folded(word);
    const shard = crc32(data, 0, data.length) >>> (32 - wordBits);
    const file = await this.#file(`w/${hex(shard, wordBits)}`);
    return Object.hasOwn(file, word) ? file[word] : null;
  }

  /** The pattern of a `wordRow`. */
  async rowOf(number, shard) {
    if (shard >= 0) await this.#shard(shard);
    else if (shard < -1) await this.#looseFile(-2 - shard);
    return this.#known(number);
  }

  /** Read the root, unless it is there or on its way. */
  open() {
    if (!this.#opening) {
      this.#opening = this.#openRoot();
      this.#opening.catch(() => (this.#opening = null));
    }
    return this.#opening;
  }

  async #openRoot() {
    const root = await this.#read("/match/index.json", true);
    if (!root) throw new Error("the index is not there");
    if (root.form !== FORM) throw new Overtaken(); // the scripts of this page are older, or newer
    this.#checked = Date.now();
    root.exact = new Filter(root.exact);
    let mark = 0;
    root.marks = new Set(root.loose.map((step) => (mark += step)));
    root.patterns = this.#columns(root);
    this.#root = root;
    return root;
  }

  /** The patterns without key that may be in the texts but are not in the root, file by file. */
  #looseOf(texts) {
    const { marks, looseBits } = this.#root;
    const files = new Set();
    for (const data of marks.size ? texts.map(folded) : []) {
      for (let at = 0; at + WINDOW <= data.length; at++) {
        const hash = crc32(data, at, at + WINDOW);
        if (marks.has(hash >>> (32 - MARK_BITS))) files.add(hash >>> (32 - looseBits));
      }
    }
    return Promise.all([...files].map((number) => this.#looseFile(number)));
  }

  async #looseFile(number) {
    const file = await this.#file(`s/${number}`);
    file.patterns ??= this.#columns(file);
    return file.patterns;
  }

  #columns({ steps, sources, told }) {
    let number = 0;
    return sources.map((source, place) => {
      number += steps[place];
      const [kind, weight, standIn] = told[place] ?? ["W", null, 0];
      return this.#keep(number, kind, weight, source, standIn || null, null);
    });
  }

  /** The keys that may have hints: by the filter, or all where they are too few to fetch it. */
  async #likelyHints(keys) {
    const root = await this.open();
    const filed = [];
    const perhaps = [];
    for (const key of keys) {
      if (root.exact.has(key)) filed.push(key);
      else perhaps.push(key);
    }
    const unread = perhaps.filter((key) => !this.#files.has(this.#nameOf(this.#shardOf(key))));
    const inFilter = (root.hints * HINT_BITS) / 8;
    if (!this.#hints && unread.length * SHARD_COST < inFilter) return [...filed, ...perhaps];
    this.#hints ??= new Filter(await this.#file("hints"));
    return [...filed, ...perhaps.filter((key) => this.#hints.has(key))];
  }

  #shardOf(key) {
    return key >>> (32 - this.#root.bits);
  }

  #nameOf(shard) {
    return `k/${hex(shard, this.#root.bits)}`;
  }

  async #shards(keys) {
    const numbers = [...new Set(keys.map((key) => this.#shardOf(key)))];
    const shards = await Promise.all(numbers.map((number) => this.#shard(number)));
    return new Map(numbers.map((number, place) => [number, shards[place]]));
  }

  async #shard(number) {
    const file = await this.#file(this.#nameOf(number));
    if (file.filed) return file;
    const [rows, patterns] = file;
    file.filed = new Map(rows.map(([key, exact, hints]) => [key, { exact, hints: pairs(hints) }]));
    for (const [of, kind, weight, source, standIn, records] of patterns) {
      const own = records ? records.map(record) : null;
      this.#keep(of, kind, weight, written(source, own), standIn || null, own);
    }
    return file;
  }

  #keep(number, kind, weight, source, standIn, records) {
    const pattern = restore(source, kind, standIn);
    const probe = pattern.pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
    const row = { number, pattern, bits: weight ?? sum(pattern.literals), probe, records };
    this.#patterns.set(number, row);
    return row;
  }

  /** The pattern of this number, which a shard that was read has written out. */
  #known(number) {
    const row = this.#patterns.get(number);
    if (!row) throw new Overtaken(); // its shard is of another build
    return row;
  }

  /** A file of the index; a fetch that failed is not kept. The version in its address keeps
      caches from giving one of another build. */
  #file(name) {
    if (!this.#files.has(name)) {
      if (this.#files.size > MOST_KEPT) this.#files.delete(this.#files.keys().next().value);
      const reading = this.#read(`/match/index/${name}.json?${this.#root.version}`, false).then((file) => {
        if (!file) throw new Overtaken();
        this.#fetched = true;
        return file;
      });
      reading.catch(() => this.#files.delete(name));
      this.#files.set(name, reading);
    }
    return this.#files.get(name);
  }
}

function hex(number, bits) {
  return number.toString(16).padStart(Math.ceil(bits / 4), "0");
}

function sum(literals) {
  let weight = 0;
  for (const literal of literals) weight += bits(literal);
  return weight;
}

function pairs(flat) {
  const found = new Map();
  for (let k = 0; k < flat.length; k += 2) found.set(flat[k], flat[k + 1]);
  return found;
}

function written(source, records) {
  if (source === 0) return templatePattern(records[0].errorMessage);
  return source === 1 ? templatePattern(records[0].errorMessage, true) : source;
}

function record([id, repo, slug, errorClass, errorCode, errorMessage, severity, filePath, lineNumber, retired]) {
  return { id, repo, slug, errorClass, errorCode, errorMessage, severity, filePath, lineNumber, retired };
}
