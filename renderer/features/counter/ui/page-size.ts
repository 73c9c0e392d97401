/** The digits 1 to 9 pick so many of the tiles, and go on to the next ones; 0 is "same as last time". */
export const PAGE_SIZE = 9;

/** So many tiles are drawn at first; a list that is scrolled to its end draws more. */
const MOST_DRAWN = 45;

/** The tiles to draw, and which of them the digits pick by now. */
export function drawnTiles<Tile>(
  all: readonly Tile[],
  page: number,
): { readonly drawn: readonly Tile[]; readonly digitOf: (index: number) => number | undefined } {
  const first = page * PAGE_SIZE;
  return {
    drawn: all.slice(0, Math.max(MOST_DRAWN, first + MOST_DRAWN)),
    digitOf: (index) =>
      index >= first && index < first + PAGE_SIZE ? index - first + 1 : undefined,
  };
}
