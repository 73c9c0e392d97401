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
