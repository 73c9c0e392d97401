import { foldLetters } from "../../../lib/fold-letters.ts";

/** One tile: what it is called, and the words it is found by. */
export interface WallTile<Item> {
  readonly id: string;
  readonly name: string;
  readonly item: Item;
}

interface Entry<Item> {
  readonly tile: WallTile<Item>;
  /** The name without accents and capitals, whole and word by word. */
  readonly name: string;
  readonly words: readonly string[];
}

/**
 * The tiles of a wall with their names taken apart: once for a catalog, as at every key it would
 * take longer than the rest of the wall.
 */
export interface WallIndex<Item> {
  readonly entries: readonly Entry<Item>[];
}

export function indexWall<Item>(tiles: readonly WallTile<Item>[]): WallIndex<Item> {
  return {
    entries: tiles.map((tile) => {
      const name = foldLetters(tile.name);
      return { tile, name, words: name.split(/[\s·.,()&'’-]+/) };
    }),
  };
}

/** What a search finds: each typed word begins a word of the name, those that begin it first. */
export function findTiles<Item>(
  { entries }: WallIndex<Item>,
  query: string,
): readonly WallTile<Item>[] {
  const typed = foldLetters(query).split(/\s+/).filter(Boolean);
  const fits = entries.filter(({ words }) =>
    typed.every((part) => words.some((word) => word.startsWith(part))),
  );
  const [first = ""] = typed;
  const begin = fits.filter(({ name }) => name.startsWith(first));
  const others = fits.filter(({ name }) => !name.startsWith(first));
  return [...begin, ...others].map(({ tile }) => tile);
}
