import { expect, it } from "vitest";
import { cashDraftOf, readCashStep } from "./components/sales-view.tsx";

const swiss = { country: "CH", currency: "CHF", currencyDivisor: 100 };

it("a draft made from a rounding step is read as the same step", () => {
  for (const [step, choice] of [
    [0, "none"],
    [5, "usual"],
    [10, "own"],
  ] as const) {
    const draft = cashDraftOf(step, swiss);
    expect(draft.choice).toBe(choice);
    expect(readCashStep(draft, swiss)).toBe(step);
  }
});

it("an amount that is no valid rounding step is rejected", () => {
  for (const typed of ["", "0", "x", "1000.01"]) {
    expect(readCashStep({ choice: "own", typed }, swiss), typed).toBeUndefined();
  }
  expect(readCashStep({ choice: "own", typed: "0.25" }, swiss)).toBe(25);
});
