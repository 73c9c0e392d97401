import { PAGE_SIZE } from "../../ui/page-size.ts";
import { findTiles, type PickerIndex, type PickerTile } from "./picker-index.ts";

export interface PickerState {
  readonly query: string;
  readonly page: number;
  readonly focused: string | undefined;
}

export const NO_PICKER: PickerState = { query: "", page: 0, focused: undefined };

export function isFreshPicker({ query, focused }: PickerState): boolean {
  return query === "" && focused === undefined;
}

export type PickerEvent =
  | { readonly type: "query-typed"; readonly text: string }
  | { readonly type: "page-turned"; readonly page: number }
  | { readonly type: "tile-focused"; readonly id: string | undefined };

const LONGEST_QUERY = 60;

export function pickerReducer(state: PickerState, event: PickerEvent): PickerState {
  switch (event.type) {
    case "query-typed":
      return { ...NO_PICKER, query: event.text.trimStart().slice(0, LONGEST_QUERY) };
    case "page-turned":
      return { ...state, page: event.page, focused: undefined };
    case "tile-focused":
      return { ...state, focused: event.id };
  }
}

export interface PickerView<Item> {
  /** Tiles of the page. The digit of a tile is its index plus one. */
  readonly tiles: readonly PickerTile<Item>[];
  readonly all: readonly PickerTile<Item>[];
  readonly page: number;
  readonly pages: number;
  readonly found: number;
  /**
   * Tile that Enter picks: the tile selected with the arrow keys, or else the first search result.
   */
  readonly chosen: PickerTile<Item> | undefined;
}

export function viewPicker<Item>(
  index: PickerIndex<Item>,
  { query, page: wanted, focused }: PickerState,
): PickerView<Item> {
  const found = findTiles(index, query);
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const page = Math.min(Math.max(0, wanted), pages - 1);
  const shown = found.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
  const underArrows = shown.find(({ id }) => id === focused);
  return {
    tiles: shown,
    all: found,
    page,
    pages,
    found: found.length,
    chosen: underArrows ?? (query.trim() === "" ? undefined : shown[0]),
  };
}
