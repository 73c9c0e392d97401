/** Shorter words are near too many others. */
const MIN_LETTERS = 4;
/** Words of this length and longer may have two errors, shorter ones one. */
const LONG_WORD = 7;

/**
 * Returns the word that a misspelled one is closest to; the first of several that are equally close. Errors are a wrong,
 * missing, additional or swapped letter.
 * @param words in small letters and without accents, as `typed`
 */
export function findNearWord(typed: string, words: Iterable<string>): string | undefined {
  if (typed.length < MIN_LETTERS) return undefined;
  let most = typed.length < LONG_WORD ? 1 : 2;
  let near: string | undefined;
  for (const word of words) {
    if (Math.abs(word.length - typed.length) > most) continue;
    const errors = countErrors(typed, word);
    if (errors > most) continue;
    near = word;
    most = errors - 1;
    if (most < 0) break;
  }
  return near;
}

/** Returns the optimal string alignment distance: the fewest single-letter errors between two words. */
export function countErrors(one: string, other: string): number {
  const width = other.length + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let at = 1; at < width; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped =
        row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      current[at] = Math.min(
        (last[at] ?? 0) + 1,
        (current[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + Number(!isSame),
        isSwapped ? (beforeLast[at - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[width - 1] ?? 0;
}
