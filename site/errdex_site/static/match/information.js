// How much a literal says, as errdex/match/information.py has it.

import { information as K } from "./constants.js";
import { isAlnumAt, length } from "./text.js";

/** The information of a literal, in bits. */
export function bits(literal) {
  let sum = 0;
  for (const word of K.WORD.findall(literal)) sum += wordBits(word);
  return sum;
}

function wordBits(word) {
  if (!isAlnumAt(word, 0)) return K.SIGN_BITS * [...word].filter((sign, at, all) => sign !== all[at - 1]).length;
  if (K.COMMON_WORDS.has(word.toLowerCase())) return K.COMMON_BITS;
  return K.LETTER_BITS * Math.min(length(word), K.LETTERS);
}
