// Pieces of the paste around a match, cut so that the matched stretches can be marked.

const CONTEXT = 200;
const LONGEST = 2000;

/** `[{text, hit}, …]`: the lines of the match, with some text on either side. */
export function excerpt(text, spans) {
  if (!spans.length) return [];
  const ordered = [...spans].sort((a, b) => a.start - b.start);
  const first = ordered[0].start;
  const last = Math.max(...ordered.map((span) => span.end));
  const start = Math.max(text.lastIndexOf("\n", first - 1) + 1, first - CONTEXT);
  let end = text.indexOf("\n", last);
  end = Math.min(end < 0 ? text.length : end, last + CONTEXT, start + LONGEST);
  const pieces = [];
  let at = start;
  for (const span of ordered) {
    if (span.start < at || span.start >= end) continue;
    const stop = Math.min(span.end, end);
    if (span.start > at) pieces.push({ text: text.slice(at, span.start), hit: false });
    pieces.push({ text: text.slice(span.start, stop), hit: true });
    at = stop;
  }
  if (at < end) pieces.push({ text: text.slice(at, end), hit: false });
  return pieces;
}

/** The matches that were claimed, in groups of equals, and the hints below them. */
export function grouped(matches) {
  const groups = [];
  for (const match of matches) {
    if (!match.claimed) continue;
    if (groups.at(-1)?.[0].group === match.group) groups.at(-1).push(match);
    else groups.push([match]);
  }
  return { groups, hints: matches.filter((match) => !match.claimed) };
}

/** At most `most` characters, the cut marked. */
export function shorten(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
