import uFuzzy from "@leeoniya/ufuzzy";

/** Beyond this many matches they are shown unranked: ranking them would take longer than a frame. */
const RANKED = 1_000;
/** Words in any order, up to three: more would be tried in too many orders. */
const WORDS_IN_ANY_ORDER = 3;

/** Letters of every script count as letters; accents are taken off beforehand. */
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: String.raw`[^\p{L}\d']+`,
  intraSplit: String.raw`\p{Ll}\p{Lu}`,
  intraBound: String.raw`\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}`,
  intraChars: String.raw`[\p{L}\d']`,
  intraContr: String.raw`'\p{L}{1,2}\b`,
  // What fits equally well stays in the order of the index.
  compare: () => 0,
});

const NOT_OF_WORDS = /[\s·.,()&'’-]+/;

/** Without accents. */
export function fold(text: string): string {
  return uFuzzy.latinize(text);
}

/** The words of a text, in small letters and without accents. */
export function wordsOf(text: string): readonly string[] {
  return fold(text).toLowerCase().split(NOT_OF_WORDS);
}

/** Words of letters with a digit after them, such as "o2". */
export function mixedWords(texts: readonly string[]): readonly string[] {
  const words = new Set(texts.flatMap((text) => text.toLowerCase().split(NOT_OF_WORDS)));
  return [...words].filter((word) => /^\p{L}+\d/u.test(word));
}

/** Positions of the matches, best first. */
export function best(texts: string[], needle: string): number[] {
  const wordsInAnyOrder = needle.split(/\s+/).length <= WORDS_IN_ANY_ORDER ? 1 : 0;
  const [found, info, order] = fuzzy.search(texts, needle, wordsInAnyOrder, RANKED);
  if (!found) return [];
  return info && order ? order.flatMap((at) => info.idx[at] ?? []) : [...found];
}
