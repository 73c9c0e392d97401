import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sale } from "../../../contract/pos/sales.ts";
import { cashRoundingOf, roundCash, type TenderInput } from "../../../contract/pos/tenders.ts";
import { SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, setUpTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";
import { roundingBack } from "./refunded-money-store.ts";

let till: TestGateway;
let owner: TestTill;
const PRICE = 2_635;
const LINE: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED: TestLine = { ...LINE, recipientPhoneNumber: "+50251239001" };

beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const scope = { accountId: "default", environment: "test" } as const;
  await till.gateway.context.recharges.setTestWallet(scope, 10_000_000);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function roundTo(cashStep: number) {
  const { body } = await owner.pos("GET", "/settings");
  expect((await owner.pos("PUT", "/settings", { ...body, cashStep })).body.cashStep).toBe(cashStep);
}

interface Basket {
  lines: { line: TestLine; discount: number }[];
  card: number;
  tendered?: number;
}

async function sell({ lines: basket, card, tendered = 1_000_000 }: Basket, more = {}) {
  const plain = await owner.prepareSale(basket.map(({ line }) => line));
  const lines = plain.lines.map((line, index) => ({
    ...line,
    discount: basket[index]?.discount ?? 0,
  }));
  const total = lines.reduce((sum, { price, discount }) => sum + price - discount, 0);
  const byCard = Math.floor((total * card) / 100);
  const tenders: TenderInput[] = [
    ...(byCard > 0 ? [{ kind: "CARD" as const, amount: byCard }] : []),
    ...(byCard < total ? [{ kind: "CASH" as const, tendered }] : []),
  ];
  const answer = await owner.pos("POST", "/sales", { ...plain, lines, tenders, ...more });
  await till.advance(SECOND);
  return answer;
}

const sum = (list: readonly { amount: number }[]) =>
  list.reduce((total, { amount }) => total + amount, 0);
const sumCash = (list: readonly { kind: string; amount: number }[]) =>
  sum(list.filter(({ kind }) => kind === "CASH"));

describe("an amount in cash", () => {
  const step = fc.constantFrom(0, 1, 5, 10, 50, 100, 500);
  const total = fc.nat({ max: 1_000_000 });

  it("rounds to the nearest payable amount, and up if two are equally near", () => {
    fc.assert(
      fc.property(total, step, (amount, step) => {
        const rounded = roundCash(amount, step);
        const off = 2 * (rounded - amount);
        if (step > 0) expect(rounded % step).toBe(0);
        expect(step === 0 ? off === 0 : off > -step && off <= step).toBe(true);
      }),
    );
  });

  it("can be refunded in payable parts whose sum is the amount taken", () => {
    const lines = fc.array(fc.nat({ max: 3_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lines, step, fc.nat({ max: 100 }), (lines, cashStep, card) => {
        const total = lines.reduce((all, line) => all + line, 0);
        const byCard = Math.floor((total * card) / 100);
        const tenders: TenderInput[] = [
          { kind: "CASH", tendered: total },
          { kind: "CARD", amount: byCard },
        ];
        const cashRounding = cashRoundingOf(total, tenders, cashStep);
        const cash = total - byCard + cashRounding;
        const paid = [
          { kind: "CASH" as const, amount: cash },
          { kind: "CARD" as const, amount: byCard },
        ];
        let [before, handed] = [0, 0];
        for (const line of lines) {
          const back = line + roundingBack({ cashRounding, cashStep, paid }, before, line);
          expect(back).toBeGreaterThanOrEqual(0);
          const inCash = Math.min(handed + back, cash) - Math.min(handed, cash);
          if (cashStep > 0) expect(inCash % cashStep).toBe(0);
          [before, handed] = [before + line, handed + back];
        }
        expect(handed).toBe(total + cashRounding);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a sale with cash rounding", () => {
  it("rounds only its cash part, and gives change on the rounded amount", async () => {
    await roundTo(50);
    const one = { lines: [{ line: LINE, discount: 0 }], card: 0 };
    const { body: cash } = await sell({ ...one, tendered: 5_000 });
    expect(cash).toMatchObject({ total: PRICE, cashRounding: 15, change: 5_000 - 2_650 });
    expect(cash.tenders).toEqual([{ kind: "CASH", amount: 2_650, tendered: 5_000 }]);
    const { body: card } = await sell({ ...one, card: 100 });
    expect(card).toMatchObject({ total: PRICE, cashRounding: 0, change: 0 });
    const { body: mixed } = await sell({ ...one, card: 50, tendered: 1_300 });
    const amounts = mixed.tenders.map(({ amount }: { amount: number }) => amount);
    expect([mixed.cashRounding, ...amounts]).toEqual([-18, 1_317, 1_300]);
    const short = await sell({ ...one, tendered: 2_649 });
    expect(short.body).toMatchObject({
      errorCode: "TENDER_SHORT",
      fields: { "tenders.0.tendered": "must be at least 2650" },
    });
  });

  it("fails if the till displayed a different rounding, and is stored once for repeated requests", async () => {
    await roundTo(50);
    const one = { lines: [{ line: LINE, discount: 0 }], card: 0 };
    const told = await sell(one, { cashRounding: 0 });
    expect([told.status, told.body.errorCode, told.body.fields]).toEqual([
      409,
      "PRICE_CHANGED",
      { cashRounding: "is 15 now" },
    ]);
    const sale = { ...(await owner.prepareSale([LINE], 3_000)), cashRounding: 15 };
    const first = (await owner.pos("POST", "/sales", sale)).body;
    await roundTo(0);
    const again = (await owner.pos("POST", "/sales", sale)).body;
    expect(again).toMatchObject({ saleNumber: first.saleNumber, cashRounding: 15, change: 350 });
    await till.advance(SECOND);
  });

  it("keeps the day's figures consistent with drawer and X report, even after refunds and a change of the cash step", async () => {
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    const day = new Date(till.clock.now()).toISOString().slice(0, 10);
    const lines = fc.array(
      fc.record({ line: fc.constantFrom(LINE, REFUSED), discount: fc.nat({ max: 800 }) }),
      { minLength: 1, maxLength: 3 },
    );
    const card = fc.constantFrom(0, 0, 37, 100);
    const step = fc.constantFrom(0, 5, 50, 100);
    await fc.assert(
      fc.asyncProperty(lines, card, step, step, async (lines, card, step, later) => {
        await roundTo(step);
        const sold = (await sell({ lines, card })).body as Sale;
        await roundTo(later);
        const failed = sold.lines.filter((_line, index) => lines[index]?.line === REFUSED);
        let sale = (await owner.pos("GET", `/sales/${sold.saleId}`)).body as Sale;
        expect(sum(sale.tenders)).toBe(sale.total + sale.cashRounding);
        if (step > 0) expect(sumCash(sale.tenders) % step).toBe(0);
        for (const [index, { transactionId }] of failed.entries()) {
          const customerRefundId = sale.saleId.replace(/.$/, String(index));
          const path = `/sales/${sale.saleId}/customer-refunds`;
          const refund = { customerRefundId, lines: [transactionId] };
          await owner.pos("POST", path, refund);
          sale = (await owner.pos("POST", path, refund)).body as Sale;
        }
        expect(sale.refundDue).toBe(0);
        if (failed.length === lines.length) expect(sale.refunded).toBe(sum(sold.tenders));
        const path = `/figures/money?firstDay=${day}&lastDay=${day}`;
        const { figures, drawers } = (await owner.pos("GET", path)).body;
        expect(figures.owed).toBe(0);
        expect(figures.sold + figures.cashRounding).toBe(figures.taken);
        const x = (await owner.pos("GET", `/shifts/${shift.shiftId}/x`)).body;
        expect(x.figures.cashRounding).toBe(figures.cashRounding);
        expect(x.expectedCash).toBe(drawers.cash);
      }),
      { numRuns: 12 },
    );
  });
});

describe("a new shop", () => {
  it.each([
    ["CHF", "Europe/Zurich", 5],
    ["SEK", "Europe/Stockholm", 100],
    ["HUF", "Europe/Budapest", 500],
    ["EUR", "Europe/Helsinki", 5],
    ["EUR", "Europe/Madrid", 0],
    ["USD", "America/New_York", 0],
  ])(
    "rounds cash by its currency and time zone: %s in %s to steps of %i",
    async (currency, timeZone, cashStep) => {
      const gateway = await startTestGateway();
      const session = await setUpTill(gateway, { currency, timeZone });
      expect((await session.pos("GET", "/settings")).body.cashStep).toBe(cashStep);
      expect((await session.pos("GET", "/status")).body.cashStep).toBe(cashStep);
      await gateway.close();
    },
  );
});
