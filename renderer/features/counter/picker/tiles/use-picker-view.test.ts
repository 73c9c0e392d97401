import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { usePickerView } from "./picker-control.ts";
import type { PickerTile } from "./picker-index.ts";
import { NO_PICKER, type PickerState } from "./picker-state.ts";

function countedTile(name: string, reads: string[]): PickerTile<string> {
  return {
    id: name,
    item: name,
    get name() {
      reads.push(name);
      return name;
    },
  };
}

it("usePickerView splits names once for each catalog, and searches for the latest text", () => {
  const reads: string[] = [];
  const tiles = ["Amazon", "Apple", "Steam"].map((name) => countedTile(name, reads));
  const { result, rerender } = renderHook(
    ({ of, state }: { of: typeof tiles; state: PickerState }) => usePickerView(of, state),
    { initialProps: { of: tiles, state: NO_PICKER } },
  );
  expect(reads).toEqual(["Amazon", "Apple", "Steam"]);
  for (const query of ["a", "ap", "app"]) {
    rerender({ of: tiles, state: { ...NO_PICKER, query } });
  }
  expect(result.current).toMatchObject({ found: 1, chosen: { id: "Apple" } });
  expect(reads.filter((name) => name === "Steam")).toHaveLength(1);

  const view = result.current;
  const state = { ...NO_PICKER, query: "app" };
  rerender({ of: tiles, state });
  const again = result.current;
  rerender({ of: tiles, state });
  expect(again).toEqual(view);
  expect(result.current).toBe(again);

  const more = [...tiles, countedTile("Apple Music", reads)];
  rerender({ of: more, state });
  expect(result.current.found).toBe(2);
});
