import { useMemo } from "react";
import { indexWall, type WallTile } from "./wall-index.ts";
import { viewWall, type WallState, type WallView } from "./wall-state.ts";

/**
 * What a wall shows.
 *
 * @param tiles the same array as long as nothing in it changed: its names are taken apart anew for
 *   every other one
 */
export function useWallView<Item>(
  tiles: readonly WallTile<Item>[],
  state: WallState,
): WallView<Item> {
  const index = useMemo(() => indexWall(tiles), [tiles]);
  return useMemo(() => viewWall(index, state), [index, state]);
}
