import { describe, expect, it } from "vitest";
import { countTender, type TenderState } from "./tender.ts";

const OWED = { total: 1_998, currency: "CHF", divisor: 100, cashStep: 5 };

function count(state: Partial<TenderState>) {
  return countTender({ text: "", others: [], ...state }, OWED);
}

describe("countTender with cash rounding", () => {
  it("requires the rounded amount in cash, and computes the change from that amount", () => {
    expect(count({})).toMatchObject({
      cashDue: 2_000,
      cashRounding: 2,
      isEnough: true,
      tenders: [{ kind: "CASH", tendered: 2_000 }],
    });
    expect(count({ text: "19.98" })).toMatchObject({ missing: 2, isEnough: false });
    expect(count({ text: "50" })).toMatchObject({ change: 3_000, isEnough: true });
  });

  it("does not round card payments", () => {
    const card = { kind: "CARD", amount: 1_998 } as const;
    expect(count({ others: [card] })).toMatchObject({
      cashRounding: 0,
      takesCash: false,
      isEnough: true,
      tenders: [card],
    });
  });

  it("sends a trimmed reference, and no reference after its text was removed", () => {
    const card = { kind: "CARD", amount: 1_998 } as const;
    const tendersOf = (reference: string) => count({ others: [{ ...card, reference }] }).tenders;
    expect(tendersOf(" 4711 ")).toEqual([{ ...card, reference: "4711" }]);
    expect(tendersOf("  ")).toEqual([card]);
    expect(tendersOf("")).toEqual([card]);
  });

  it("takes no cash for a rest below the rounding step, and reports the rounding to the gateway", () => {
    const card = { kind: "CARD", amount: 1_996 } as const;
    expect(count({ others: [card] })).toMatchObject({
      cashDue: 0,
      cashRounding: -2,
      takesCash: true,
      isEnough: true,
      tenders: [{ kind: "CASH", tendered: 0 }, card],
    });
  });
});
