import { array, assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { SAME_NUMBER_MS } from "../../../lib/same-number.ts";
import { FIELD, PLACES, TypedCounter } from "../testing/typed-counter.ts";

const GUATEMALA = { country: "GT", currency: "GTQ", divisor: 100, price: 5200 };
const EVERYWHERE = [...PLACES, FIELD] as const;
const SIGNS = "0123456789abcdeghopqrwxyzCO%.-$:".split("");
/** As scanners are delivered, and as slow as they are set. */
const SCANNER_MS = 35;

/** Keys in a row, each with the same pause before it but for the first. */
function typeRow(counter: TypedCounter, keys: readonly string[], pause: number): void {
  for (const [index, key] of keys.entries()) {
    counter.press(key, 10_000 + index * pause);
  }
}

function linesOf({ state }: TypedCounter): number {
  return state.sale.attempt?.lines.length ?? 0;
}

describe("what a scanner types", () => {
  it("pays nothing and chooses nothing, wherever it is typed, and is read in the one field", () => {
    const code = array(constantFrom(...SIGNS), { minLength: 6, maxLength: 24 });
    assert(
      property(
        constantFrom(...PLACES),
        code,
        integer({ min: 0, max: SCANNER_MS }),
        (from, keys, pause) => {
          const counter = new TypedCounter(from, GUATEMALA);
          const before = linesOf(counter);
          typeRow(counter, [...keys, "Enter"], pause);
          expect([counter.paid, counter.discounts]).toEqual([[], 0]);
          expect(linesOf(counter)).toBe(before);
          expect(counter.state.sale.confirming).toBe(false);
          expect(counter.state.sale.tender).toMatchObject({ text: "", others: [] });
          const { TOPUP, BILL_PAY } = counter.state.drafts;
          const isInBillField = counter.state.family === "BILL_PAY" && BILL_PAY.step === "field";
          expect(isInBillField || counter.state.family === "TOPUP" || keys.length < 8).toBe(true);
          expect(TOPUP.step).toBe("number");
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("takes nothing of what the field found by chance", () => {
    const code = array(constantFrom(...SIGNS), { minLength: 1, maxLength: 24 });
    assert(
      property(code, integer({ min: 0, max: SAME_NUMBER_MS }), (keys, pause) => {
        const counter = new TypedCounter(FIELD, GUATEMALA);
        typeRow(counter, [...keys, "Enter"], pause);
        expect([counter.chosen, counter.paid, linesOf(counter)]).toEqual([[], [], 0]);
      }),
      { numRuns: 3000 },
    );
  });
});

/** What a counter's scanner reads beside names: its own receipt, a bill, the card of an eSIM, a PIN. */
const CODES = [
  "000124",
  "012345",
  "001234",
  "4159520000000011802030001234567390200000125509620261215",
  "]C14159520000000011802030001234567390200000125509620261215",
  "952188123456000000457520270131",
  "89502100000000000017",
  "8950210000000000001F",
  "0012345678901234567",
  "12345678901234567890",
];

describe("a code that is none of a phone", () => {
  it("pays nothing and chooses nothing, wherever it is scanned, and however its Enter is sent", () => {
    assert(
      property(
        constantFrom(...EVERYWHERE),
        constantFrom(...CODES),
        integer({ min: 0, max: SCANNER_MS }),
        integer({ min: 1, max: 3 }),
        (from, code, pause, enters) => {
          const counter = new TypedCounter(from, GUATEMALA);
          const before = linesOf(counter);
          typeRow(counter, [...code, ...Array<string>(enters).fill("Enter")], pause);
          expect([counter.paid, counter.chosen, counter.discounts]).toEqual([[], [], 0]);
          expect(linesOf(counter)).toBe(before);
          expect(counter.state.sale.confirming).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["000124", "000124", ""],
    ["0012345678901234567", "0012345678901234567", ""],
    ["12345678901234567890", "12345678901234567890", ""],
    ["89502100000000000017", "89502100000000000017", ""],
    ["001234", "", "+1234"],
    ["012345", "", "012345"],
  ])("stands in the field with all of its digits: %s", (code, query, digits) => {
    for (const from of [FIELD, "voucher brands", "confirm"] as const) {
      const counter = new TypedCounter(from, GUATEMALA);
      typeRow(counter, [...code, "Enter"], SCANNER_MS);
      expect(counter.state.drafts.TOPUP).toMatchObject({ query, digits });
    }
  });
});

describe("keys in a row, as quick as a typist's", () => {
  it("take nothing that was not in sight when the first of them was pressed", () => {
    const row = array(constantFrom(...SIGNS), { minLength: 1, maxLength: 12 });
    const places = EVERYWHERE.filter((place) => !place.startsWith("confirm"));
    assert(
      property(
        constantFrom(...places),
        row,
        integer({ min: 0, max: SAME_NUMBER_MS }),
        (from, keys, pause) => {
          const counter = new TypedCounter(from, GUATEMALA);
          const before = linesOf(counter);
          typeRow(counter, [...keys, "Enter"], pause);
          // A tile that the first key picks was in sight, and so was "the same as last time" above tiles.
          const wasInSight = /^[0-9]$/.test(keys[0] ?? "") || from === "topup offers";
          expect(linesOf(counter) - before).toBeLessThanOrEqual(wasInSight ? 1 : 0);
          if (!wasInSight) expect(counter.paid).toEqual([]);
          expect(counter.chosen).toEqual([]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("pick once there was time to look", () => {
    const counter = new TypedCounter(FIELD, GUATEMALA);
    counter.press("n", 10_000);
    counter.press("3", 10_000 + SAME_NUMBER_MS);
    expect([counter.chosen, counter.state.drafts.TOPUP.query]).toEqual([[], "n3"]);
    const looked = new TypedCounter(FIELD, GUATEMALA);
    looked.press("n", 10_000);
    looked.press("3", 10_001 + SAME_NUMBER_MS);
    expect([looked.chosen, looked.state.drafts.TOPUP.query]).toEqual([["3"], "n"]);
  });
});
