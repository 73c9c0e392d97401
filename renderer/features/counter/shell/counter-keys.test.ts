import { describe, expect, it } from "vitest";
import { type KeyPlace, type KeyPress, readCounterKey } from "./counter-keys.ts";

const PLACES = {
  number: { typing: "number", confirming: false, hasTabs: false },
  receipt: { typing: "number", confirming: false, hasTabs: false, canPrint: true },
  carrier: { typing: "none", confirming: false, hasTabs: false },
  offer: { typing: "none", confirming: false, hasTabs: true },
  picker: { typing: "search", confirming: false, hasTabs: false },
  confirm: { typing: "amount", confirming: true, hasTabs: false },
} as const satisfies Record<string, KeyPlace>;

function read(step: keyof typeof PLACES, key: string, more: Partial<KeyPress> = {}) {
  const press = { key, code: "", alt: false, ctrl: false, inField: false, at: 0, ...more };
  return readCounterKey(press, PLACES[step]);
}

function isTypedOnly(intent: unknown): boolean {
  return intent === undefined || (intent as { do: string }).do === "type";
}

describe("counter key table", () => {
  it("adds digits to the number, unless the number field has the focus", () => {
    expect(read("number", "5")).toEqual({ do: "type", text: "5" });
    expect(read("number", "5", { inField: true })).toBeUndefined();
    expect(read("number", "Backspace", { inField: true })).toBeUndefined();
  });

  it("picks tiles with 1 to 9 and repeats the last sale with 0", () => {
    expect(read("offer", "3")).toEqual({ do: "pick", index: 2 });
    expect(read("offer", "0")).toEqual({ do: "zero" });
    expect(read("carrier", "1")).toEqual({ do: "pick", index: 0 });
  });

  it("reads Arabic digits, and the Arabic letter on the key of P as P", () => {
    expect(read("number", "٥")).toEqual({ do: "type", text: "5" });
    expect(read("offer", "٣")).toEqual({ do: "pick", index: 2 });
    expect(read("receipt", "ح", { code: "KeyP" })).toEqual({ do: "print" });
  });

  it("searches with letters of every script, and prints with P while a print button is visible", () => {
    expect(read("number", "م", { code: "KeyL" })).toEqual({ do: "type", text: "م" });
    expect(read("number", "m", { inField: true })).toBeUndefined();
    expect(read("number", "p")).toEqual({ do: "type", text: "p" });
    expect(read("receipt", "p", { inField: true })).toEqual({ do: "print" });
    expect(read("number", "n", { alt: true, code: "KeyN" })).toEqual({ do: "name-number" });
  });

  it("opens tabs with the arrow keys or a letter", () => {
    expect(read("offer", "ArrowRight")).toEqual({ do: "turn-tab", step: 1 });
    expect(read("offer", "ArrowRight", { rtl: true })).toEqual({ do: "turn-tab", step: -1 });
    expect(read("offer", "ArrowLeft", { rtl: true })).toEqual({ do: "turn-tab", step: 1 });
    expect(read("offer", "B")).toEqual({ do: "letter", letter: "b" });
    expect(read("confirm", "ArrowRight")).toBeUndefined();
  });

  it("moves through tiles with every arrow key, and to the first and last tile with Home and End", () => {
    expect(read("picker", "ArrowRight")).toEqual({ do: "move", step: 1 });
    expect(read("picker", "ArrowRight", { rtl: true })).toEqual({ do: "move", step: -1 });
    expect(read("picker", "ArrowLeft")).toEqual({ do: "move", step: -1 });
    expect(read("carrier", "Home")).toEqual({ do: "move-to", end: "first" });
    expect(read("offer", "End")).toEqual({ do: "move-to", end: "last" });
    for (const key of ["ArrowLeft", "ArrowRight", "Home", "End"]) {
      expect(read("picker", key, { inField: true })).toBeUndefined();
      expect(read("number", key, { inField: true })).toBeUndefined();
    }
    expect(read("confirm", "ArrowRight")).toBeUndefined();
    expect(read("confirm", "Home")).toBeUndefined();
  });

  it("sells a duplicate with F8, only in the confirm step", () => {
    expect(read("confirm", "F8", { inField: true })).toEqual({ do: "sell-again" });
    expect(read("confirm", "Enter")).toEqual({ do: "proceed" });
    expect(read("number", "F8")).toBeUndefined();
  });

  it("keeps the line and opens the families with the plus key, only in steps that allow this", () => {
    expect(read("confirm", "+", { inField: true })).toEqual({ do: "keep-line" });
    expect(read("number", "+", { inField: true })).toBeUndefined();
    expect(read("number", "+", { inField: false })).toEqual({ do: "type", text: "+" });
    expect(read("carrier", "+", { inField: false })).toBeUndefined();
    expect(read("confirm", "F1")).toEqual({ do: "family", family: "TOPUP" });
    expect(read("confirm", "1", { alt: true, code: "Digit1" })).toEqual({
      do: "remove-line",
      index: 0,
    });
  });

  it("types a digit directly after a letter instead of picking a tile", () => {
    const press = { key: "7", code: "Digit7", alt: false, ctrl: false, inField: false, at: 0 };
    const word = { ...PLACES.picker, isInWord: true };
    expect(readCounterKey(press, PLACES.picker)).toEqual({ do: "pick", index: 6 });
    expect(readCounterKey(press, word)).toEqual({ do: "type", text: "7" });
    expect(readCounterKey({ ...press, inField: true }, word)).toBeUndefined();
  });

  it("searches with letters and picks with digits, also inside the search field", () => {
    expect(read("picker", "n")).toEqual({ do: "type", text: "n" });
    expect(read("picker", "n", { inField: true })).toBeUndefined();
    expect(read("picker", "2", { inField: true })).toEqual({ do: "pick", index: 1 });
  });

  it("reads a letter as a payment method, even inside the cash field", () => {
    expect(read("confirm", "c", { inField: true })).toEqual({ do: "letter", letter: "c" });
  });

  it("opens the carriers with Alt+C on any keyboard layout", () => {
    expect(read("offer", "ç", { alt: true, code: "KeyC" })).toEqual({ do: "open-others" });
  });

  it("prints with P unless letters have another meaning", () => {
    expect(read("receipt", "p", { inField: true })).toEqual({ do: "print" });
    expect(read("offer", "p")).toEqual({ do: "letter", letter: "p" });
  });

  it("accepts a decimal point only where amounts are typed", () => {
    expect(read("confirm", ".")).toEqual({ do: "type", text: "." });
    expect(read("number", ".")).toBeUndefined();
  });

  it("ignores single-key shortcuts for people who turned them off, but still types the characters", () => {
    const off = (step: keyof typeof PLACES, key: string) => {
      const press = { key, code: "", alt: false, ctrl: false, inField: false, at: 0 };
      return readCounterKey(press, { ...PLACES[step], singleKeys: false });
    };
    for (const [step, key] of [
      ["offer", "3"],
      ["offer", "0"],
      ["offer", "b"],
      ["confirm", "c"],
      ["confirm", "d"],
      ["confirm", "+"],
      ["picker", "2"],
      ["receipt", "p"],
    ] as const) {
      expect([step, key, isTypedOnly(off(step, key))]).toEqual([step, key, true]);
    }
    expect(off("number", "5")).toEqual({ do: "type", text: "5" });
    expect(off("picker", "n")).toEqual({ do: "type", text: "n" });
    expect(off("offer", "ArrowDown")).toEqual({ do: "move", step: 1 });
    expect(off("confirm", "Enter")).toEqual({ do: "proceed" });
  });

  it("ignores the browser's own shortcuts", () => {
    expect(read("number", "v", { ctrl: true })).toBeUndefined();
    expect(read("number", "F5")).toBeUndefined();
  });
});
