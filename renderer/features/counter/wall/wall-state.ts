import { PAGE_SIZE } from "../topup/offer-pages.ts";

/** Tiles to pick from: searched with letters where there are many, picked with digits. */
export interface WallState {
  readonly query: string;
  readonly page: number;
  /** The tile under the arrow keys. */
  readonly focused: string | undefined;
}

export const NO_WALL: WallState = { query: "", page: 0, focused: undefined };

export type WallEvent =
  | { readonly type: "query-typed"; readonly text: string }
  | { readonly type: "page-turned"; readonly page: number }
  | { readonly type: "tile-focused"; readonly id: string | undefined };

const LONGEST_QUERY = 60;

export function wallReducer(state: WallState, event: WallEvent): WallState {
  switch (event.type) {
    case "query-typed":
      return { ...NO_WALL, query: event.text.trimStart().slice(0, LONGEST_QUERY) };
    case "page-turned":
      return { ...state, page: event.page, focused: undefined };
    case "tile-focused":
      return { ...state, focused: event.id };
  }
}

/** One tile: what it is called, and the words it is found by. */
export interface WallTile<Item> {
  readonly id: string;
  readonly name: string;
  readonly item: Item;
}

export interface WallView<Item> {
  /** The tiles that are shown; the digit of each is its index and one. */
  readonly tiles: readonly WallTile<Item>[];
  readonly page: number;
  readonly pages: number;
  readonly found: number;
  /** What Enter picks: the tile under the arrows, or the first that was searched for. */
  readonly chosen: WallTile<Item> | undefined;
}

/** What a search finds: each typed word begins a word of the name, those that begin it first. */
export function viewWall<Item>(
  tiles: readonly WallTile<Item>[],
  { query, page: wanted, focused }: WallState,
): WallView<Item> {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const fits = tiles.filter(({ name }) => {
    const parts = fold(name).split(/[\s·.,()&'’-]+/);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  });
  const [first] = words;
  const found =
    first === undefined
      ? fits
      : [...fits].sort((a, b) => Number(begins(b, first)) - Number(begins(a, first)));
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(Math.max(0, wanted), pages - 1);
  const shown = found.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
  const underArrows = shown.find(({ id }) => id === focused);
  return {
    tiles: shown,
    page,
    pages,
    found: found.length,
    chosen: underArrows ?? (first === undefined ? undefined : shown[0]),
  };
}

function begins({ name }: WallTile<unknown>, word: string): boolean {
  return fold(name).startsWith(word);
}

/** Without accents and capitals, so that "mexico" finds "México". */
function fold(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
