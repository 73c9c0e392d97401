import { describe, expect, it } from "vitest";
import type { CheckedLine } from "../../../../../server/contract/pos/sales.ts";
import { topup } from "../../testing/fixtures.ts";
import type { Attempt } from "../attempt/attempt-store.ts";
import { type LineItem, wantedOf } from "../attempt/line-item.ts";
import { confirmsFirst, type SoldHere, worstEarlier } from "./earlier-sale.ts";

const NOW = Date.parse("2026-01-15T10:00:00.000Z");
const card: LineItem = { ...topup, productType: "VOUCHER", offerId: "CARD", fields: [] };
const token: LineItem = {
  ...card,
  offerId: "TOKEN",
  fields: [{ key: "meter.number", label: "Meter number", value: "123", shown: "123" }],
};

function attemptOf(...items: LineItem[]): Attempt {
  return {
    saleId: "now",
    environment: "test",
    staffId: "ana",
    openedAt: NOW,
    lines: items.map((item, index) => ({ transactionId: `tx-${index}`, item })),
  };
}

function sold(item: LineItem, changes: Partial<SoldHere> = {}): SoldHere {
  return {
    saleId: "s5",
    saleNumber: 5,
    soldAt: "2026-01-15T09:59:00.000Z",
    outcome: "DELIVERED",
    wanted: wantedOf(item),
    ...changes,
  };
}

const nothing = { checks: new Map<string, CheckedLine>(), answered: [], unanswered: [] };

/** Judges by this till's own sales, without the gateway. */
function judge(item: LineItem, ...answered: SoldHere[]) {
  const verdict = worstEarlier(attemptOf(item), { ...nothing, answered });
  return [verdict?.kind, confirmsFirst(verdict)] as const;
}

describe("duplicate check based on this till's sales", () => {
  const other = { ...topup, offerId: "T5" };

  it("requires a confirmation until the outcome of every earlier sale is final", () => {
    expect(judge(topup, sold(topup, { outcome: "SENDING" }))).toEqual(["being-sent", true]);
    const old = sold(other, { outcome: "STILL_SENDING", soldAt: "2026-01-14T12:00:00.000Z" });
    expect(judge(topup, old)).toEqual(["being-sent", true]);
    expect(judge(topup, old, sold(topup))).toEqual(["being-sent", true]);
  });

  it("requires a confirmation after the same product was just delivered, in each family", () => {
    for (const item of [topup, card, token]) {
      expect(judge(item, sold(item))).toEqual(["same-again", true]);
    }
    const newer = sold(other, { saleId: "s6", soldAt: "2026-01-15T09:59:30.000Z" });
    expect(judge(topup, newer, sold(topup))).toEqual(["same-again", true]);
  });

  it("mentions a sale of another offer or value without requiring a confirmation", () => {
    expect(judge(topup, sold(other))).toEqual(["delivered", false]);
    const any = { ...topup, value: { type: "ZEND" as const, value: 7500 } };
    expect(judge(topup, sold(any))).toEqual(["delivered", false]);
    expect(judge(any, sold(any))).toEqual(["same-again", true]);
  });

  it("mentions an undelivered sale without requiring a confirmation", () => {
    const failed = sold(topup, { outcome: "NOT_DELIVERED" });
    expect(judge(topup, failed)).toEqual(["not-delivered", false]);
  });

  it("ignores older sales and sales to other recipients", () => {
    const none = [undefined, false];
    expect(judge(topup, sold(topup, { soldAt: "2026-01-15T09:50:00.000Z" }))).toEqual(none);
    expect(judge(topup, sold({ ...topup, number: "+50240000000" }))).toEqual(none);
    expect(judge(card, sold({ ...card, offerId: "CARD2" }, { outcome: "SENDING" }))).toEqual(none);
  });
});

describe("gateway's duplicate check", () => {
  const earlier = {
    saleId: "s5",
    saleNumber: 5,
    soldAt: "2026-01-15T09:59:00.000Z",
    clerk: "Ben",
    outcome: "NOT_DELIVERED" as const,
    same: true,
    recipientFormatted: "",
  };

  it("overrides this till's answered sales, but not its unanswered sales", () => {
    const checks = new Map([["tx-0", { promos: [], earlier }]]);
    const stale = [sold(topup, { outcome: "SENDING" })];
    const attempt = attemptOf(topup);
    expect(worstEarlier(attempt, { checks, answered: stale, unanswered: [] })?.kind).toBe(
      "not-delivered",
    );
    expect(worstEarlier(attempt, { checks, answered: [], unanswered: stale })?.kind).toBe(
      "being-sent",
    );
  });
});

describe("duplicate check within a basket", () => {
  it("requires a confirmation for equal lines with a recipient, but not for two equal gift cards", () => {
    expect(worstEarlier(attemptOf(topup, token, topup), nothing)?.kind).toBe("twice");
    expect(worstEarlier(attemptOf(token, token), nothing)?.kind).toBe("twice");
    expect(worstEarlier(attemptOf(card, card), nothing)).toBeUndefined();
  });
});
