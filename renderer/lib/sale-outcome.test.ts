import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameOutcome, type Outcome } from "../../server/contract/pos/outcome.ts";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { deliveredFirst, newerSale, outcomeAt, saleLineAt, saleOutcomeAt } from "./sale-outcome.ts";

const slowAfter = "2026-01-15T09:30:10.000Z";
const before = Date.parse(slowAfter) - 1;
const after = Date.parse(slowAfter);

function sale(...outcomes: Outcome[]): Sale {
  const lines = outcomes.map((outcome) => ({ outcome, slowAfter, refunded: false }) as SaleLine);
  return { lines, receiptsPrinted: 0 } as unknown as Sale;
}

describe("sale outcome", () => {
  it("becomes STILL_SENDING after an unusual time", () => {
    const [line] = sale("SENDING").lines as [SaleLine];
    expect(outcomeAt(line, before)).toBe("SENDING");
    expect(outcomeAt(line, after)).toBe("STILL_SENDING");
    expect(outcomeAt({ ...line, outcome: "DELIVERED" }, after)).toBe("DELIVERED");
  });

  it("depends first on the sale's unfinished lines", () => {
    expect(saleOutcomeAt(sale("DELIVERED", "SENDING"), before)).toBe("SENDING");
    expect(saleOutcomeAt(sale("NOT_DELIVERED", "SENDING"), before)).toBe("SENDING");
    expect(saleOutcomeAt(sale("NOT_DELIVERED", "SENDING"), after)).toBe("STILL_SENDING");
  });

  it("becomes PARTLY_DELIVERED for any order and number of lines", () => {
    const final = fc.constantFrom<Outcome>("DELIVERED", "NOT_DELIVERED");
    fc.assert(
      fc.property(fc.array(final, { minLength: 1, maxLength: 20 }), (outcomes) => {
        const known = saleOutcomeAt(sale(...outcomes), after);
        const kinds = new Set(outcomes);
        expect(known).toBe(kinds.size === 2 ? "PARTLY_DELIVERED" : outcomes[0]);
        const order = deliveredFirst(sale(...outcomes).lines).map(({ outcome }) => outcome);
        expect(order).toEqual([...outcomes].sort());
      }),
    );
    expect(saleOutcomeAt(sale("DELIVERED", "NOT_DELIVERED", "SENDING"), before)).toBe(
      "PARTLY_DELIVERED",
    );
  });

  it("appears on a line with that outcome, or on a delivered line if outcomes differ", () => {
    const mixed = sale("NOT_DELIVERED", "SENDING", "DELIVERED", "NOT_DELIVERED");
    expect(saleLineAt(mixed, before)).toBe(mixed.lines[2]);
    const slow = sale("DELIVERED", "SENDING");
    expect(saleLineAt(slow, after)).toBe(slow.lines[1]);
  });

  it("never changes a final outcome, in any order of updates", () => {
    const sending = sale("SENDING");
    const delivered = sale("DELIVERED");
    expect(newerSale(delivered, sending)).toBe(delivered);
    expect(newerSale(sending, delivered)).toBe(delivered);
    expect(newerSale(undefined, sending)).toBe(sending);
    expect(newerSale(delivered, { ...delivered, receiptsPrinted: 1 }).receiptsPrinted).toBe(1);
  });

  it("never loses a refund", () => {
    const owed = sale("NOT_DELIVERED");
    const [line] = owed.lines as [SaleLine];
    const given = { ...owed, lines: [{ ...line, refunded: true }] };
    expect(newerSale(owed, given)).toBe(given);
    expect(newerSale(given, owed)).toBe(given);
  });
});

describe("the name of an outcome", () => {
  const bill = { productType: "BILL_PAY" } as const;
  const topup = { productType: "TOPUP" } as const;
  const canceled = { productType: "ESIM", canceled: true } as const;

  it.each([
    ["DELIVERED", [topup], "DELIVERED"],
    ["DELIVERED", [bill], "PAID"],
    ["DELIVERED", [bill, topup], "DELIVERED"],
    ["DELIVERED", [], "DELIVERED"],
    ["NOT_DELIVERED", [bill], "NOT_PAID"],
    ["NOT_DELIVERED", [canceled], "CANCELED"],
    ["NOT_DELIVERED", [canceled, topup], "NOT_DELIVERED"],
    ["STILL_SENDING", [bill], "STILL_SENDING"],
  ] as const)("%s with lines %j is named %s", (outcome, lines, name) => {
    expect(nameOutcome(outcome, lines)).toBe(name);
  });
});
