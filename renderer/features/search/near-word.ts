/** Shorter words are similar to too many other words. */
const MIN_LETTERS = 4;
/** Words of this length may have two errors, shorter words one. */
const LONG_WORD = 7;

/**
 * Returns the word that is closest to a misspelled word, or the first of several. Errors are wrong,
 * missing, additional and swapped letters.
 * @param words in lower case and without accents, like `typed`
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

/** Returns the optimal string alignment distance. */
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
