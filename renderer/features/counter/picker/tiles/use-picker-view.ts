import { useMemo } from "react";
import { indexPicker, type PickerTile } from "./picker-index.ts";
import { type PickerState, type PickerView, viewPicker } from "./picker-state.ts";

/**
 * @param tiles must be the same array until the tiles change: the names of a new array are split
 * again
 */
export function usePickerView<Item>(
  tiles: readonly PickerTile<Item>[],
  state: PickerState,
): PickerView<Item> {
  const index = useMemo(() => indexPicker(tiles), [tiles]);
  return useMemo(() => viewPicker(index, state), [index, state]);
}
