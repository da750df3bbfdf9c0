// A view: one reading of a paste, whose every character can be traced to the raw text.

import { bisectRight } from "../text.js";

/** Put `text` where [start, end) stands; without `text` the stretch is kept as it is. */
export function edit(start, end, text) {
  return { start, end, text };
}

export class View {
  #starts;
  #rawStarts;
  constructor(text, starts = [0], rawStarts = [0], joins = []) {
    this.text = text;
    this.joins = joins;
    this.#starts = starts;
    this.#rawStarts = rawStarts;
  }

  /** The offset in the raw text of what stands at `offset` here. */
  raw(offset) {
    const k = bisectRight(this.#starts, offset) - 1;
    return this.#rawStarts.at(k) + offset - this.#starts.at(k);
  }

  /** The raw stretch from the first to behind the last character of a stretch here. */
  rawSpan(start, end) {
    const first = this.raw(start);
    const last = end > start ? this.raw(end - 1) + 1 : first;
    return last >= first ? [first, last] : [first, first];
  }

  /** This view with edits made, which come in order; without any it is this view itself. */
  edited(edits, joining = false) {
    const parts = [];
    let at = 0;
    for (const one of edits) {
      if (one.start > at) parts.push(edit(at, one.start));
      parts.push(one);
      at = one.end;
    }
    if (!parts.length) return this;
    if (at < this.text.length) parts.push(edit(at, this.text.length));
    return this.assembled(parts, joining);
  }

  /** A view of slices and replacements of this one, in the order given. */
  assembled(parts, joining = false) {
    const pieces = [];
    let starts = [];
    let rawStarts = [];
    const joins = [];
    let length = 0;
    for (const part of parts) {
      let piece = part.text;
      if (piece !== undefined) {
        if (joining) joins.push(length);
        if (piece) this.#replace(part, length, starts, rawStarts);
      } else {
        piece = this.text.slice(part.start, part.end);
        this.#stretches(part, (start, rawStart) => {
          starts.push(length + start - part.start);
          rawStarts.push(rawStart);
        });
      }
      pieces.push(piece);
      length += piece.length;
    }
    if (!starts.length) [starts, rawStarts] = [[0], [0]];
    return new View(pieces.join(""), starts, rawStarts, joins);
  }

  /** Note where a replacement comes from: one by one from the characters that it stands for,
      and what is more from the last of them. */
  #replace({ start, end, text }, at, starts, rawStarts) {
    starts.push(at);
    rawStarts.push(this.raw(end > start ? start : Math.max(0, start - 1)));
    for (let i = Math.max(1, end - start); i < text.length; i++) {
      starts.push(at + i);
      rawStarts.push(end > start ? this.raw(end - 1) : rawStarts.at(-1));
    }
  }

  #stretches(part, note) {
    if (part.end <= part.start) return;
    note(part.start, this.raw(part.start));
    for (let k = bisectRight(this.#starts, part.start); k < this.#starts.length && this.#starts[k] < part.end; k++) {
      note(this.#starts[k], this.#rawStarts[k]);
    }
  }
}
