import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CheckedLine } from "../../../../../server/contract/pos/sales.ts";
import { contextOf, topup } from "../../testing/fixtures.ts";
import { confirmAttempt } from "../attempt/attempt-store.ts";
import { totalOf } from "../attempt/line-item.ts";
import { NO_TENDER } from "../tender/tender.ts";
import { hasMoved } from "./reprice.ts";
import { saleReducer } from "./sale-machine.ts";
import { type Checks, MOST_LINES, NO_SALE, type SaleEvent, type SaleState } from "./sale-state.ts";

function line(transactionId: string, saleId?: string): SaleEvent {
  return { type: "composed", item: topup, context: contextOf(transactionId, saleId) };
}
const kept: SaleEvent = { type: "line-kept" };
const back: SaleEvent = { type: "back" };

function run(...events: SaleEvent[]): SaleState {
  return events.reduce(saleReducer, NO_SALE);
}

function ids({ attempt }: SaleState): string[] {
  return (attempt?.lines ?? []).map(({ transactionId }) => transactionId);
}

describe("sale state machine", () => {
  it("opens the confirm step with the first line, and never changes the ids", () => {
    const state = run(line("tx-1"));
    expect(state).toMatchObject({ confirming: true, attempt: { saleId: "sale-1" } });
    expect(ids(state)).toEqual(["tx-1"]);
  });

  it("adds lines with their own ids to the same sale id", () => {
    const state = run(line("tx-1"), kept, line("tx-2", "sale-2"), kept);
    expect(state).toMatchObject({ confirming: false, attempt: { saleId: "sale-1" } });
    expect(ids(state)).toEqual(["tx-1", "tx-2"]);
    expect(totalOf(state.attempt?.lines ?? [])).toBe(2 * topup.price);
    expect(run(line("tx-1"), kept, { type: "basket-opened" }).confirming).toBe(true);
  });

  it("removes the open line and leaves the other lines in the basket", () => {
    expect(run(line("tx-1"), back)).toEqual(NO_SALE);
    const state = run(line("tx-1"), kept, line("tx-2"), back);
    expect(ids(state)).toEqual(["tx-1"]);
    expect(state.confirming).toBe(false);
    expect(ids(run(line("tx-1"), kept, { type: "basket-opened" }, back))).toEqual(["tx-1"]);
  });

  it("removes a tender before it removes a line", () => {
    const card: SaleEvent = { type: "tender-added", kind: "CARD" };
    const state = run(line("tx-1"), card);
    expect(state.tender.others).toEqual([{ kind: "CARD", amount: topup.price }]);
    expect(saleReducer(state, back)).toMatchObject({ confirming: true, tender: { others: [] } });
  });

  it("clears typed cash before it removes a tender or a line", () => {
    const typed: SaleEvent = { type: "tender-typed", text: "10" };
    const card: SaleEvent = { type: "tender-added", kind: "CARD" };
    const state = run(line("tx-1"), typed, card, typed, back);
    expect(state).toMatchObject({ confirming: true, tender: { text: "", others: [{}] } });
    expect(run(line("tx-1"), typed, back)).toMatchObject({ confirming: true, tender: NO_TENDER });
    expect(run(line("tx-1"), typed, back, back)).toEqual(NO_SALE);
  });

  it("ignores typed cash after a card has paid everything", () => {
    const card: SaleEvent = { type: "tender-added", kind: "CARD" };
    const typed: SaleEvent = { type: "tender-typed", text: "100" };
    const paid = run(line("tx-1"), card);
    expect(saleReducer(paid, typed)).toBe(paid);
    expect(saleReducer(saleReducer(paid, back), typed).tender.text).toBe("100");
  });

  it("keeps an approved discount, and removes a refused discount", () => {
    const given = { transactionId: "tx-1", discount: 100 };
    const asked = run(line("tx-1"), { type: "discounted", ...given });
    const approved: SaleEvent = {
      type: "discount-approved",
      ...given,
      approvalId: "a-1",
      belowCost: false,
    };
    const refused: SaleEvent = { type: "discount-refused", ...given, error: "no" };
    const kept = saleReducer(asked, approved).attempt?.lines[0];
    expect(kept).toMatchObject({ discount: 100, discountApprovalId: "a-1" });
    const left = saleReducer(asked, refused);
    expect(left).toMatchObject({ confirming: true, error: "no" });
    expect(left.attempt?.lines[0]).not.toHaveProperty("discount");
    const other = saleReducer(asked, { type: "discounted", transactionId: "tx-1", discount: 50 });
    expect(saleReducer(other, approved)).toBe(other);
    expect(saleReducer(other, refused)).toBe(other);
  });

  it("removes tenders when the total changes", () => {
    const card: SaleEvent = { type: "tender-added", kind: "CARD" };
    const two = run(line("tx-1"), kept, line("tx-2"), card);
    const one = saleReducer(two, { type: "line-removed", transactionId: "tx-1" });
    expect(one).toMatchObject({ confirming: true, tender: { others: [] } });
    expect(ids(one)).toEqual(["tx-2"]);
  });

  it("keeps typed cash after a line is removed, until the sale is paid", () => {
    const typed: SaleEvent = { type: "tender-typed", text: "100" };
    const card: SaleEvent = { type: "tender-added", kind: "CARD" };
    const ten: SaleEvent = { type: "tender-typed", text: "10" };
    const two = run(line("tx-1"), kept, line("tx-2"), ten, card, typed);
    const one = saleReducer(two, { type: "line-removed", transactionId: "tx-1" });
    expect(one.tender).toEqual({ ...NO_TENDER, text: "100" });
    const refused: SaleEvent = { type: "line-refused", transactionId: "tx-1", error: "no" };
    expect(saleReducer(two, refused).tender).toEqual(NO_TENDER);
  });

  it("keeps typed cash after a discount and after a new price, and does not pay the new price ahead", () => {
    const typed: SaleEvent = { type: "tender-typed", text: "100" };
    const discount: SaleEvent = { type: "discounted", transactionId: "tx-1", discount: 100 };
    const cheaper = run(line("tx-1"), { type: "tender-added", kind: "CARD" }, discount, typed);
    expect(saleReducer(cheaper, { ...discount, discount: 50 }).tender).toEqual({
      ...NO_TENDER,
      text: "100",
    });
    const checks = new Map([["tx-1", { price: 5450, promos: [] }]]);
    const dearer = saleReducer(saleReducer(cheaper, { type: "pay-after" }), {
      type: "checked",
      checks,
    });
    expect(dearer).toMatchObject({ tender: { text: "100", others: [] }, paysAfter: false });
  });

  it("ends the sale when its last line is removed", () => {
    expect(run(line("tx-1"), { type: "line-removed", transactionId: "tx-1" })).toEqual(NO_SALE);
  });

  it("limits a sale to the gateway's maximum number of lines", () => {
    const many = Array.from({ length: MOST_LINES + 3 }, (_, at) => [line(`tx-${at}`), kept]);
    expect(ids(run(...many.flat()))).toHaveLength(MOST_LINES);
  });

  it("ignores every event except an answer while the sale is being paid", () => {
    const paying = run(line("tx-1"), { type: "pay" });
    for (const event of [line("tx-2"), kept, back, { type: "pay" }] as SaleEvent[]) {
      expect(saleReducer(paying, event)).toBe(paying);
    }
    expect(saleReducer(paying, { type: "answered" })).toEqual(NO_SALE);
  });

  it("ignores the clerk's events while the sale is being held, and the answer for another sale", () => {
    const entry = { kind: "hold", heldSaleId: "held-1", text: "Ana" } as const;
    const opened = run(line("tx-1"), { type: "entry-opened", entry });
    const holding = saleReducer(opened, { type: "hold", heldSaleId: "held-1" });
    expect(holding).toMatchObject({ holding: true, attempt: { heldAs: ["held-1"] } });
    for (const event of [back, kept, { type: "pay" }, line("tx-2")] as SaleEvent[]) {
      expect(saleReducer(holding, event)).toBe(holding);
    }
    expect(saleReducer(holding, { type: "held", saleId: "sale-1" })).toEqual(NO_SALE);
    const failed = saleReducer(holding, { type: "hold-failed", error: "lost" });
    expect(failed).toMatchObject({ holding: false, entry, attempt: { heldAs: ["held-1"] } });
    const next = run(line("tx-2", "sale-2"));
    expect(saleReducer(next, { type: "held", saleId: "sale-1" })).toBe(next);
  });

  it("keeps the ids after a refusal, and shows the new price beside the old price", () => {
    const paying = run(line("tx-1"), kept, line("tx-2"), { type: "pay" });
    const refused = saleReducer(paying, {
      type: "refused",
      error: "moved",
      prices: { "tx-2": 5450 },
    });
    expect(refused).toMatchObject({ confirming: true, paying: false });
    expect(refused.moved).toEqual({ "tx-2": topup.price });
    expect(refused.attempt?.lines.map(({ item }) => item.price)).toEqual([topup.price, 5450]);
  });

  it("adopts the gateway's price, and compares it with the price that the customer was told first", () => {
    const says = (price: number): SaleEvent => ({
      type: "checked",
      checks: new Map([["tx-2", { price, promos: [] }]]),
    });
    const told = run(
      line("tx-1"),
      kept,
      line("tx-2"),
      { type: "discounted", transactionId: "tx-2", discount: 100 },
      { type: "tender-added", kind: "CARD" },
    );
    const dearer = saleReducer(told, says(5300));
    expect(dearer).toMatchObject({ moved: { "tx-2": topup.price }, tender: { others: [] } });
    expect(dearer.attempt?.lines[1]).not.toHaveProperty("discount");
    const dearest = saleReducer(dearer, says(5450));
    expect(dearest.moved).toEqual({ "tx-2": topup.price });
    expect(saleReducer(dearest, says(5450))).toBe(dearest);
    expect(saleReducer(dearest, says(topup.price)).moved).toEqual({});
  });

  it("adopts a new delivered amount at the same price, and compares it with the amount told first", () => {
    const { price, sendCurrency, sendCurrencyDivisor } = topup;
    const answer = (send: number): Checks => {
      const amounts = { price, send, sendCurrency, sendCurrencyDivisor, promos: [] };
      return new Map([["tx-1", amounts as CheckedLine]]);
    };
    const says = (send: number): SaleEvent => ({ type: "checked", checks: answer(send) });
    const told = run(line("tx-1"), { type: "discounted", transactionId: "tx-1", discount: 100 });
    const less = saleReducer(told, says(4900));
    expect(less).toMatchObject({ moved: {}, movedSends: { "tx-1": topup.send } });
    expect(less.attempt?.lines[0]).toMatchObject({ discount: 100, item: { send: 4900 } });
    expect(hasMoved(told.attempt?.lines ?? [], answer(4900))).toBe(true);
    expect(hasMoved(less.attempt?.lines ?? [], answer(4900))).toBe(false);
    expect(saleReducer(less, says(topup.send ?? 0)).movedSends).toEqual({});
  });

  it("stops a payment only if the gateway's last check refuses the payment", () => {
    const paying = run(line("tx-1"), { type: "pay" });
    const checks = new Map([["tx-1", { price: 5450, promos: [] }]]);
    expect(saleReducer(paying, { type: "checked", checks })).toBe(paying);
    expect(saleReducer(paying, { type: "checked", checks, heldBack: true })).toMatchObject({
      paying: false,
      confirming: true,
      moved: { "tx-1": topup.price },
    });
  });

  it("prices a repeated line, and removes a repeated line that is no longer sold", () => {
    const { send: _, sendCurrency: __, sendCurrencyDivisor: ___, ...repeated } = topup;
    const composed: SaleEvent = {
      type: "composed",
      item: repeated,
      context: contextOf("tx-1"),
    };
    const known = { price: 7800, send: 7500, sendCurrency: "GTQ", sendCurrencyDivisor: 100 };
    const priced = run(composed, {
      type: "checked",
      checks: new Map([["tx-1", { ...known, promos: [] }]]),
    });
    expect(priced.moved).toEqual({ "tx-1": topup.price });
    expect(priced.attempt?.lines[0]?.item).toMatchObject({ price: 7800, send: 7500 });
    const failed = run(line("tx-1"), kept, line("tx-2"), {
      type: "line-refused",
      transactionId: "tx-2",
      error: "gone",
    });
    expect(failed).toMatchObject({ confirming: false, error: "gone" });
    expect(ids(failed)).toEqual(["tx-1"]);
  });

  it("restores a stored sale", () => {
    const open = run(line("tx-1"), kept, line("tx-2"));
    const basket = run(line("tx-1"), kept);
    for (const state of [open, basket]) {
      const attempt = state.attempt as NonNullable<SaleState["attempt"]>;
      expect(run({ type: "restored", attempt })).toMatchObject({
        attempt,
        confirming: state.confirming,
      });
    }
  });

  it("never changes an id, and sends exactly the confirmed lines, after any sequence of events", () => {
    const event = fc.oneof(
      fc.nat(5).map((at) => line(`tx-${at}`, `sale-${at}`)),
      fc.nat(5).map((at): SaleEvent => ({ type: "line-removed", transactionId: `tx-${at}` })),
      fc.constantFrom<SaleEvent>(
        kept,
        back,
        { type: "basket-opened" },
        { type: "tender-added", kind: "CARD" },
        { type: "tender-typed", text: "10" },
        { type: "pay" },
        { type: "answered" },
        { type: "refused", error: "no" },
      ),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let before = NO_SALE;
        for (const one of events) {
          const state = saleReducer(before, one);
          const wasOne = before.attempt && state.attempt && one.type !== "answered";
          if (wasOne) {
            expect(state.attempt?.saleId).toBe(before.attempt?.saleId);
          }
          expect(state.attempt?.lines.length ?? 1).toBeGreaterThan(0);
          expect(state.confirming && !state.attempt).toBe(false);
          expect(state.paying && !state.confirming).toBe(false);
          if (state.attempt) {
            const { input } = confirmAttempt(state.attempt, { tenders: [] }, 1);
            expect(input.lines.map(({ transactionId }) => transactionId)).toEqual(ids(state));
          }
          before = state;
        }
      }),
    );
  });
});
