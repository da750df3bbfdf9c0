// Errors that share words with a text of which nothing is known. The Python engine asks SQLite's
// full-text search over messages and prose; here it is messages, classes and codes alone, and
// a word counts by how few patterns have it. Fetched only when it is needed.

const WORD = /[A-Za-z_][A-Za-z0-9_]{3,40}/g;
const MOST_WORDS = 8;
const LONGEST_TEXT = 20_000;
const BUSY = 400;
const MOST = 5;

/** Up to five records, most in common first: `[{ record, words }, …]`. `common` are words that
    say nothing, `wordRow(word)` gives `[pattern, its shard, …]` or null, `rowOf(number, shard)`
    the pattern, `recordsOf(row)` its records; ids in `shown` are left out. */
export async function neighbours(text, { common, wordRow, rowOf, recordsOf, shown }) {
  const words = new Set((text.slice(0, LONGEST_TEXT).match(WORD) ?? []).map((word) => word.toLowerCase()));
  const rare = [...words].filter((word) => !common.has(word)).sort((a, b) => b.length - a.length);
  const asked = rare.slice(0, MOST_WORDS);
  const found = new Map();
  const rows = await Promise.all(asked.map(wordRow));
  rows.forEach((row, place) => {
    const weight = row && Math.log(1 + (2 * BUSY) / row.length);
    for (let k = 0; row && k < row.length; k += 2) {
      const one = found.get(row[k]) ?? { number: row[k], shard: row[k + 1], weight: 0, words: [] };
      one.weight += weight;
      one.words.push(asked[place]);
      found.set(row[k], one);
    }
  });
  const best = [...found.values()].sort((a, b) => b.weight - a.weight || a.number - b.number).slice(0, 2 * MOST);
  const out = [];
  for (const one of best) {
    if (out.length === MOST) break;
    const [record] = await recordsOf(await rowOf(one.number, one.shard));
    if (record && !shown.has(record.id)) out.push({ record, words: one.words });
  }
  return out;
}
