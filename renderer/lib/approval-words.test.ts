import { describe, expect, it } from "vitest";
import { factWords } from "./approval-words.ts";
import type { Translate } from "./i18n.ts";
import type { Format } from "./use-format.ts";

const t = ((key: string) => key) as unknown as Translate;
const format = {
  money: (minor: number, currency: string, divisor: number) => `${currency} ${minor / divisor}`,
  number: String,
} as unknown as Format;
const unit = { currency: "USD", currencyDivisor: 100 };

function say(facts: Parameters<typeof factWords>[0]): string[] {
  return factWords(facts, { t, format, unit }).map(({ label, value }) => `${label}: ${value}`);
}

describe("the facts of a request", () => {
  it("name the movement, amount, currency and reason", () => {
    const facts = {
      kind: "PAY_OUT",
      amount: 1500,
      reason: "Milk",
      currency: "JPY",
      currencyDivisor: 1,
    };
    expect(say(facts)).toEqual([
      "approval.fact.kind: shift.move.PAY_OUT",
      "approval.fact.amount: JPY 1500",
      "approval.fact.reason: Milk",
    ]);
  });

  it("name the sale, item and recipient, and omit unknown facts", () => {
    expect(say({ saleNumber: 12, product: "Tigo 25 GTQ", recipient: "", soldBy: "Ana" })).toEqual([
      "approval.fact.sale: 000012",
      "approval.fact.product: Tigo 25 GTQ",
      "approval.fact.soldBy: Ana",
    ]);
    expect(say({})).toEqual([]);
  });
});
