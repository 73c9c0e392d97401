import { describe, expect, it } from "vitest";
import { NO_ROW } from "./digit-row.ts";
import { keysReducer, NO_KEYS } from "./keys-state.ts";

describe("the keys that were pressed", () => {
  it("are the same after one that means nothing, so that nothing moves the focus before Tab does", () => {
    expect(keysReducer(NO_KEYS, { type: "pressed", row: NO_ROW })).toBe(NO_KEYS);
    expect(keysReducer(NO_KEYS, { type: "pressed", row: NO_ROW, forgetsAhead: true })).toBe(
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

  it("keep those that came while the first of them was carried out", () => {
    const typed = (key: string) => ({
      key,
      code: "",
      alt: false,
      ctrl: false,
      inField: false,
      at: 0,
    });
    const ahead = { keys: [typed("1"), typed("0")], leaving: undefined };
    const left = { keys: [], leaving: undefined };
    const after = keysReducer(
      { row: NO_ROW, ahead },
      { type: "caught-up", row: NO_ROW, left, seen: 1 },
    );
    expect(after.ahead.keys.map(({ key }) => key)).toEqual(["0"]);
  });
});
