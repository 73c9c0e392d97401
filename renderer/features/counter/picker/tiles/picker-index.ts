import { foldLetters } from "../../../../lib/search-text.ts";

export interface PickerTile<Item> {
  readonly id: string;
  readonly name: string;
  /** Other search terms, ranked below matches by name. */
  readonly also?: readonly string[];
  /** True for the shop's own country, which a search ranks first. */
  readonly isHome?: boolean;
  readonly item: Item;
}

interface Entry<Item> {
  readonly tile: PickerTile<Item>;
  /** Name in lower case without accents. */
  readonly name: string;
  readonly words: readonly string[];
  readonly also: readonly (readonly string[])[];
}

/** Built once per catalog: splitting all names at each key press would be too slow. */
export interface PickerIndex<Item> {
  readonly entries: readonly Entry<Item>[];
}

export function indexPicker<Item>(tiles: readonly PickerTile<Item>[]): PickerIndex<Item> {
  return {
    entries: tiles.map((tile) => {
      const name = foldLetters(tile.name);
      const also = (tile.also ?? []).map((one) => wordsOf(foldLetters(one)));
      return { tile, name, words: wordsOf(name), also };
    }),
  };
}

const BETWEEN_WORDS = /[\s·.,()&'’-]+/;

function wordsOf(folded: string): readonly string[] {
  return folded.split(BETWEEN_WORDS);
}

/**
 * Finds tiles that have, for each typed word, a word that starts with it. Exact names rank first,
 * then the shop's own country, then names that start with the first typed word.
 */
export function findTiles<Item>(
  { entries }: PickerIndex<Item>,
  query: string,
): readonly PickerTile<Item>[] {
  const typed = detailsOf(query);
  const isIn = (words: readonly string[]) => begins(typed, words);
  const fits = entries.filter(({ words }) => isIn(words));
  const byOthers = entries.filter(({ words, also }) => !isIn(words) && also.some(isIn));
  const whole = foldLetters(query).trim();
  const [first = ""] = typed;
  const rankOf = ({ name, tile }: Entry<Item>) =>
    (name === whole ? 4 : 0) + (tile.isHome ? 2 : 0) + (name.startsWith(first) ? 1 : 0);
  const ranked = fits.toSorted((a, b) => rankOf(b) - rankOf(a));
  return [...(typed.length > 0 ? ranked : fits), ...byOthers].map(({ tile }) => tile);
}

/** Returns whether each word of the query starts a word of the name. */
export function isFoundBy(name: string, query: string): boolean {
  return begins(detailsOf(query), wordsOf(foldLetters(name)));
}

function detailsOf(query: string): readonly string[] {
  const words = wordsOf(foldLetters(query)).filter(Boolean);
  const isSignsAlone = words.length === 0 && query.trim() !== "";
  return isSignsAlone ? [query.trim()] : words;
}

function begins(typed: readonly string[], words: readonly string[]): boolean {
  return typed.every((part) => words.some((word) => word.startsWith(part)));
}
