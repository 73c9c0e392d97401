import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY, SECOND } from "../../../lib/clock.ts";
import { Exact } from "../../../lib/money.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
const LINE: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED: TestLine = { ...LINE, recipientPhoneNumber: "+50251239001" };

beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75", timeZone: "UTC" });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const dayAt = (at: number) => new Date(at).toISOString().slice(0, 10);

async function readMoney(firstDay: string, lastDay = firstDay) {
  return (await owner.pos("GET", `/figures/money?firstDay=${firstDay}&lastDay=${lastDay}`)).body;
}

async function balance(): Promise<number> {
  const { figures } = (await owner.pos("GET", "/wallet")).body;
  return figures.available + figures.held;
}

async function recharge(amount: number, paid?: number) {
  const body = {
    rechargeId: randomUUID(),
    environment: "test",
    amount,
    ...(paid !== undefined && { paid }),
  };
  expect((await owner.pos("POST", "/wallet/recharges", body)).status).toBe(200);
  await till.advance(1);
}

async function sellAndReadCost(line: TestLine, refund: boolean) {
  const sale = (await owner.sell([line])).body;
  await till.advance(SECOND);
  const path = `/figures/lines?firstDay=${dayAt(till.clock.now())}&lastDay=${dayAt(till.clock.now())}&limit=200`;
  const { list } = (await owner.pos("GET", path)).body;
  const { cost, rate } = list.find(({ saleId }: { saleId: string }) => saleId === sale.saleId);
  const { transactionId } = sale.lines[0];
  const { cost: wallet } = (await till.v1("GET", `/topups/purchases/${transactionId}`)).body;
  expect([rate, cost]).toEqual(["7.75", new Exact(wallet).mul("7.75").ceil().toNumber()]);
  if (refund) {
    const customerRefund = { customerRefundId: sale.saleId, lines: [transactionId] };
    await owner.pos("POST", `/sales/${sale.saleId}/customer-refunds`, customerRefund);
  }
  return { cost, wallet };
}

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("recharge" as const),
      amount: fc.integer({ min: 1, max: 50_000 }),
      perMille: fc.option(fc.integer({ min: 6_500, max: 9_500 }), { nil: undefined }),
    }),
    fc.record({ kind: fc.constantFrom("sale" as const, "refused" as const, "day" as const) }),
  ),
  { minLength: 3, maxLength: 10 },
);

it("the exchange result is absent until a recharge has a price", async () => {
  await recharge(10_000);
  await owner.sell([LINE]);
  expect(await readMoney(dayAt(till.clock.now()))).not.toHaveProperty("fxResult");
  // A recharge in the same millisecond as a sale would change the result of that sale.
  await till.advance(SECOND);
});

it("the exchange result is the cost of lines at the rate of their price, minus the average price paid for the wallet's money", {
  tags: ["thorough"],
}, async () => {
  let average: Exact | undefined;
  let gain = new Exact(0);
  const firstDay = dayAt(till.clock.now());
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      for (const step of steps) {
        if (step.kind === "recharge") {
          const { amount, perMille } = step;
          const held = await balance();
          const paid = perMille === undefined ? undefined : Math.ceil((amount * perMille) / 1_000);
          await recharge(amount, paid);
          if (paid === undefined) continue;
          average = average
            ? average
                .mul(held)
                .add(paid)
                .div(held + amount)
            : new Exact(paid).div(amount);
        } else if (step.kind === "day") {
          await till.advance(DAY);
          owner = await owner.signIn(owner.staffId, "471183");
        } else {
          const refused = step.kind === "refused";
          const { cost, wallet } = await sellAndReadCost(refused ? REFUSED : LINE, refused);
          // A refunded line adds nothing in total.
          if (average && !refused) gain = gain.add(cost).sub(average.mul(wallet));
        }
      }
      const { fxResult } = await readMoney(firstDay, dayAt(till.clock.now()));
      if (average === undefined) {
        expect(fxResult).toBeUndefined();
        return;
      }
      expect(Math.abs(fxResult - gain.toNumber())).toBeLessThanOrEqual(0.51);
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

it("the exchange result of past days stays the same after later recharges", async () => {
  await recharge(20_000, 160_000);
  await owner.sell([LINE]);
  const day = dayAt(till.clock.now());
  const before = (await readMoney(day)).fxResult;
  await till.advance(DAY);
  owner = await owner.signIn(owner.staffId, "471183");
  await recharge(1_000_000, 1_000_000);
  expect((await readMoney(day)).fxResult).toBe(before);
});
