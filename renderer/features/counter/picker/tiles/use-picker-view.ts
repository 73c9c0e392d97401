import { useMemo } from "react";
import { indexPicker, type PickerTile } from "./picker-index.ts";
import { type PickerState, type PickerView, viewPicker } from "./picker-state.ts";

/**
 * What a picker shows.
 *
 * @param tiles the same array as long as nothing in it changed: its names are taken apart anew for
 *   every other one
 */
export function usePickerView<Item>(
  tiles: readonly PickerTile<Item>[],
  state: PickerState,
): PickerView<Item> {
  const index = useMemo(() => indexPicker(tiles), [tiles]);
  return useMemo(() => viewPicker(index, state), [index, state]);
}
