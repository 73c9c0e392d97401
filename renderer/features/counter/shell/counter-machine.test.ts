import { describe, expect, it } from "vitest";
import { INITIAL_TOPUP } from "../families/topup/topup-state.ts";
import { contextOf, phone, topup } from "../testing/fixtures.ts";
import {
  type CounterEvent,
  type CounterState,
  counterReducer,
  INITIAL_COUNTER,
} from "./counter-state.ts";

const digits = "50251234567";
const offers: CounterEvent[] = [
  { type: "draft", family: "TOPUP", event: { type: "number-typed", digits } },
  { type: "draft", family: "TOPUP", event: { type: "phone-known", digits, phone } },
  { type: "draft", family: "TOPUP", event: { type: "number-entered" } },
];
const composed: CounterEvent = {
  type: "sale",
  event: { type: "composed", item: topup, context: contextOf("tx-1") },
};

function run(...events: CounterEvent[]): CounterState {
  return events.reduce(counterReducer, INITIAL_COUNTER);
}

describe("counter state machine", () => {
  it("returns from the confirm step to the last step of the line on undo", () => {
    const state = run(...offers, composed, { type: "undo" });
    expect(state).toMatchObject({
      drafts: { TOPUP: { step: "offer", digits: phone.number } },
      sale: { confirming: false },
    });
    expect(state.sale.attempt).toBeUndefined();
    expect(run(...offers, composed, { type: "undo" }, { type: "undo" }).drafts.TOPUP.step).toBe(
      "number",
    );
  });

  it("starts another line with empty drafts, and keeps the first line", () => {
    const state = run(...offers, composed, { type: "sale", event: { type: "line-kept" } });
    expect(state.drafts.TOPUP).toEqual(INITIAL_TOPUP);
    expect(state.sale.attempt?.lines).toHaveLength(1);
  });

  it("keeps the open line in the basket if the clerk picks a family, and ignores the pick during payment", () => {
    const pick: CounterEvent = { type: "family-picked", family: "TOPUP" };
    expect(run(...offers, composed, pick).sale).toMatchObject({
      confirming: false,
      attempt: { lines: [{ transactionId: "tx-1" }] },
    });
    const paying = run(...offers, composed, { type: "sale", event: { type: "pay" } });
    expect(counterReducer(paying, pick)).toBe(paying);
  });

  it("starts an empty sale after the gateway has answered the paid sale", () => {
    const pay: CounterEvent[] = [
      { type: "sale", event: { type: "pay" } },
      { type: "sale", event: { type: "answered" } },
    ];
    expect(run(...offers, composed, ...pay)).toEqual(INITIAL_COUNTER);
  });

  it("restores the number of a reopened line", () => {
    const { attempt } = run(...offers, composed).sale;
    if (!attempt) {
      throw new Error("no attempt");
    }
    const restored = run({ type: "sale", event: { type: "restored", attempt } });
    expect(restored).toMatchObject({
      drafts: { TOPUP: { digits } },
      sale: { confirming: true, attempt },
    });
  });
});
