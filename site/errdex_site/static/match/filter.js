// Is a key in a set? The binary fuse filters that errdex_site/filters.py builds.

export class Filter {
  #parts;
  #cells;
  constructor(parts) {
    this.#parts = parts;
    this.#cells = Uint8Array.from(atob(parts.cells), (sign) => sign.charCodeAt(0));
  }
  /** Never false for a key of the set; true for another once in 2 ** bits times. */
  has(key) {
    const { seed, bits, segment, range } = this.#parts;
    const first = mix(key ^ Math.imul(seed, 0x9e3779b9));
    const second = mix(first ^ 0x9e3779b9);
    const start = Math.floor((first * range) / 2 ** 32);
    const one = (start + segment) ^ (second & (segment - 1));
    const two = (start + 2 * segment) ^ ((second >>> 16) & (segment - 1));
    const mark = (first ^ (second >>> 8)) & ((1 << bits) - 1);
    return mark === (this.#cell(start) ^ this.#cell(one) ^ this.#cell(two));
  }
  #cell(place) {
    const { bits } = this.#parts;
    const at = place * bits;
    const byte = at >> 3;
    const pair = this.#cells[byte] | ((this.#cells[byte + 1] ?? 0) << 8);
    return (pair >> (at & 7)) & ((1 << bits) - 1);
  }
}

function mix(value) {
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
