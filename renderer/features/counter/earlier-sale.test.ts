import { describe, expect, it } from "vitest";
import { asksFirst, judgeEarlier, type SoldBefore } from "./earlier-sale.ts";

const NOW = Date.parse("2026-01-15T10:00:00.000Z");
const basket = { number: "+50251234567", offerId: "T50" };

function sold(changes: Partial<SoldBefore> = {}): SoldBefore {
  return {
    saleId: "s5",
    saleNumber: 5,
    soldAt: "2026-01-15T09:59:00.000Z",
    outcome: "DELIVERED",
    recipientPhoneNumber: basket.number,
    offerId: "T50",
    ...changes,
  };
}

function judge(...list: SoldBefore[]) {
  const verdict = judgeEarlier(basket, list, NOW);
  return [verdict?.kind, asksFirst(verdict)] as const;
}

describe("an earlier sale to the same number", () => {
  it("asks first while it is being sent, whatever was sold and however long ago", () => {
    expect(judge(sold({ outcome: "SENDING" }))).toEqual(["being-sent", true]);
    expect(
      judge(sold({ outcome: "STILL_SENDING", offerId: "T5", soldAt: "2026-01-14T12:00:00.000Z" })),
    ).toEqual(["being-sent", true]);
  });

  it("asks first when the same was delivered a moment ago", () => {
    expect(judge(sold())).toEqual(["same-again", true]);
  });

  it("only tells of another offer, or another value of the same", () => {
    expect(judge(sold({ offerId: "T5" }))).toEqual(["delivered", false]);
    expect(judge(sold({ value: { type: "ZEND", value: 7500 } }))).toEqual(["delivered", false]);
    const any = { ...basket, value: { type: "ZEND" as const, value: 7500 } };
    const same = sold({ value: { type: "ZEND", value: 7500 } });
    expect(judgeEarlier(any, [same], NOW)?.kind).toBe("same-again");
  });

  it("only tells of what was not delivered: that customer comes back for it", () => {
    expect(judge(sold({ outcome: "NOT_DELIVERED" }))).toEqual(["not-delivered", false]);
  });

  it("says nothing of what was finished longer ago, or sold to somebody else", () => {
    expect(judge(sold({ soldAt: "2026-01-15T09:50:00.000Z" }))).toEqual([undefined, false]);
    expect(judge(sold({ recipientPhoneNumber: "+50240000000", outcome: "SENDING" }))).toEqual([
      undefined,
      false,
    ]);
  });

  it("lets the one that is being sent count more than a newer one that is finished", () => {
    const open = sold({ saleId: "s4", saleNumber: 4, outcome: "STILL_SENDING" });
    expect(judge(sold({ outcome: "NOT_DELIVERED" }), open)).toEqual(["being-sent", true]);
    expect(judge(open, sold())).toEqual(["being-sent", true]);
  });

  it("lets the twin count more than a newer sale of another offer", () => {
    const newer = sold({ saleId: "s6", offerId: "T5", soldAt: "2026-01-15T09:59:30.000Z" });
    expect(judge(newer, sold())).toEqual(["same-again", true]);
  });

  it("takes the final one of two states of a sale, in whatever order they come", () => {
    const stale = sold({ outcome: "SENDING" });
    const final = sold({ outcome: "NOT_DELIVERED" });
    expect(judge(stale, final)).toEqual(["not-delivered", false]);
    expect(judge(final, stale)).toEqual(["not-delivered", false]);
  });
});
