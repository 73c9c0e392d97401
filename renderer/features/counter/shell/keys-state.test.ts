import { describe, expect, it } from "vitest";
import { NO_ROW } from "./digit-row.ts";
import { keysReducer, NO_KEYS } from "./keys-state.ts";
import { NOTHING_AHEAD } from "./typed-ahead.ts";

describe("the keys that were pressed", () => {
  it("are the same after one that means nothing, so that nothing moves the focus before Tab does", () => {
    expect(keysReducer(NO_KEYS, { type: "pressed", row: NO_ROW })).toBe(NO_KEYS);
    expect(keysReducer(NO_KEYS, { type: "pressed", row: NO_ROW, ahead: NOTHING_AHEAD })).toBe(
      NO_KEYS,
    );
    expect(keysReducer(NO_KEYS, { type: "row-ended" })).toBe(NO_KEYS);
  });

  it("keep a row that has begun until something else is done", () => {
    const row = { ...NO_ROW, text: "5" };
    const begun = keysReducer(NO_KEYS, { type: "pressed", row });
    expect(begun.row).toBe(row);
    expect(keysReducer(begun, { type: "row-ended" })).toEqual(NO_KEYS);
  });
});
