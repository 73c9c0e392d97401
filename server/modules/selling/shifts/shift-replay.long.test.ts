import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ZReport } from "../../../contract/pos/shifts.ts";
import { DAY, MINUTE, SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

const PRICE = 2_635;
/** The end of a number determines the simulator's outcome. */
const ENDS = { delivered: "4567", refused: "9001", slow: "9004" } as const;

let till: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const { shift } = (await owner.pos("GET", "/shifts/current")).body;
  await owner.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 0 });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

type Step =
  | { do: "sell"; end: keyof typeof ENDS; discount: number; card: number; more: number }
  | { do: "move"; kind: "PAY_IN" | "PAY_OUT" | "DROP"; amount: number; twice: boolean }
  | { do: "customer-refund"; kind: "CASH" | "CARD" }
  | { do: "wait"; minutes: number };

const amount = fc.integer({ min: 1, max: 100_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("sell" as const),
    end: fc.constantFrom("delivered" as const, "refused" as const, "slow" as const),
    discount: fc.integer({ min: 0, max: PRICE }),
    card: fc.integer({ min: 0, max: 100 }),
    more: fc.integer({ min: 0, max: 10_000 }),
  }),
  fc.record({
    do: fc.constant("move" as const),
    kind: fc.constantFrom("PAY_IN" as const, "PAY_OUT" as const, "DROP" as const),
    amount,
    twice: fc.boolean(),
  }),
  fc.record({
    do: fc.constant("customer-refund" as const),
    kind: fc.constantFrom("CASH" as const, "CARD" as const),
  }),
  fc.record({ do: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 20 }) }),
);

const refused: { saleId: string; transactionId: string; paid: number }[] = [];

/** Searches all lines: a later line may have failed first, because slow lines pause the brand. */
async function nextOwed(): Promise<(typeof refused)[number] | undefined> {
  for (const [index, line] of refused.entries()) {
    const [shown] = (await owner.pos("GET", `/sales/${line.saleId}`)).body.lines;
    if (shown.outcome === "NOT_DELIVERED") {
      refused.splice(index, 1);
      return line;
    }
  }
  return undefined;
}

/** @returns the change of the drawer's cash */
async function take(shiftId: string, step: Step): Promise<number> {
  switch (step.do) {
    case "sell": {
      const recipientPhoneNumber = `+5025123${ENDS[step.end]}`;
      const { discount } = step;
      const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber, discount };
      const sale = await owner.prepareSale([line]);
      const paid = PRICE - discount;
      const card = Math.floor((paid * step.card) / 100);
      const cash = paid - card;
      sale.tenders = [
        ...(card > 0 ? [{ kind: "CARD" as const, amount: card }] : []),
        ...(cash > 0 ? [{ kind: "CASH" as const, tendered: cash + step.more }] : []),
      ];
      const sold = await owner.pos("POST", "/sales", sale);
      expect(sold.status, JSON.stringify(sold.body)).toBe(200);
      await till.advance(SECOND);
      const { transactionId = "" } = sale.lines[0] ?? {};
      if (step.end === "refused") refused.push({ saleId: sale.saleId, transactionId, paid });
      return cash;
    }
    case "move": {
      const input = {
        movementId: randomUUID(),
        kind: step.kind,
        amount: step.amount,
        reason: "Because",
      };
      for (const _time of step.twice ? [1, 2] : [1]) {
        const moved = await owner.pos("POST", `/shifts/${shiftId}/movements`, input);
        expect(moved.status).toBe(200);
      }
      return step.kind === "PAY_IN" ? step.amount : -step.amount;
    }
    case "customer-refund": {
      const line = await nextOwed();
      if (!line) return 0;
      const input = {
        customerRefundId: randomUUID(),
        lines: [line.transactionId],
        kind: step.kind,
      };
      const given = await owner.pos("POST", `/sales/${line.saleId}/customer-refunds`, input);
      expect(given.status, JSON.stringify(given.body)).toBe(200);
      return step.kind === "CASH" ? -line.paid : 0;
    }
    case "wait":
      await till.advance(step.minutes * MINUTE);
      return 0;
  }
}

const reports: ZReport[] = [];
/** Number of lines in all reports so far, and of lines reported as finished. */
let sold = 0;
let finished = 0;

it("a shift's expected cash equals the result of a replay, each line is reported once, and reports never change", async () => {
  const shifts = fc.record({
    float: fc.nat(50_000),
    counted: fc.nat(200_000),
    steps: fc.array(step, { maxLength: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(shifts, async ({ float, counted, steps }) => {
      // Signs in again, because shifts may last longer than a session.
      owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
      const shiftId = randomUUID();
      expect((await owner.pos("POST", "/shifts", { shiftId, float })).status).toBe(200);
      let expected = float;
      for (const each of steps) expected += await take(shiftId, each);
      const x = (await owner.pos("GET", `/shifts/${shiftId}/x`)).body;
      const input = { counted, leaveUnfinished: true, isSure: true };
      const z: ZReport = (await owner.pos("POST", `/shifts/${shiftId}/close`, input)).body;
      expect(z).toMatchObject({ expectedCash: expected, variance: counted - expected });
      expect(z.figures).toEqual(x.figures);
      expect(z.zNumber).toBe(reports.length + 2);

      const { sales, discounts, delivered, notDelivered, unfinished, carriedOver } = z.figures;
      const sells = steps.filter((each) => each.do === "sell");
      expect(sales.count + notDelivered.count).toBe(sells.length);
      // The discount of a failed line is in no sales figure.
      expect(sales.value + discounts.value).toBe(PRICE * sales.count);
      expect(notDelivered.value).toBeLessThanOrEqual(PRICE * notDelivered.count);
      expect(delivered.value + unfinished.value).toBe(sales.value);
      sold += sells.length;
      finished += delivered.count + notDelivered.count;
      finished += carriedOver.delivered.count + carriedOver.notDelivered.count;
      expect(z.unfinished).toHaveLength(sold - finished);
      reports.push(z);
    }),
    { numRuns: 12 },
  );

  await till.advance(2 * DAY);
  owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
  const { list } = (await owner.pos("GET", "/z-reports?limit=200&offset=0")).body;
  expect(list.slice(0, reports.length)).toEqual(reports.toReversed());
}, 300_000);
