/**
 * Number of tiles on a page. The digits 1 to 9 pick tiles, and 0 repeats the customer's last sale.
 */
export const PAGE_SIZE = 9;

/** Number of tiles drawn at first; scrolling to the end draws more. */
const DRAWN_AT_FIRST = 45;

/** Returns the tiles to draw, and the digits of those on the current page. */
export function drawnTiles<Tile>(
  all: readonly Tile[],
  page: number,
): { readonly drawn: readonly Tile[]; readonly digitOf: (index: number) => number | undefined } {
  const first = page * PAGE_SIZE;
  return {
    drawn: all.slice(0, Math.max(DRAWN_AT_FIRST, first + DRAWN_AT_FIRST)),
    digitOf: (index) =>
      index >= first && index < first + PAGE_SIZE ? index - first + 1 : undefined,
  };
}
