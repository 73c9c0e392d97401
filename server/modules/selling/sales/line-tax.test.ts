import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FigureLine } from "../../../contract/pos/figures.ts";
import type { PriceTax } from "../../../contract/pos/prices.ts";
import { SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";
import { taxPart } from "../../catalog/prices/index.ts";

let till: TestGateway;
let owner: TestTill;
const TOPUP: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED: TestLine = { ...TOPUP, recipientPhoneNumber: "+50251239001" };
const VOUCHER: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const ESIM: TestLine = { productType: "ESIM", offerId: "AIRALO_ES_1GB_7D" };
const NO_TAX: PriceTax = { kind: "NONE", percent: "0" };
const TAXES = {
  TOPUP: { kind: "ON_PRICE", percent: "19.0" },
  VOUCHER: { kind: "ON_MARGIN", percent: "8.875" },
  ESIM: NO_TAX,
  BILL_PAY: NO_TAX,
} as const;

async function saveTaxes(taxes: Record<keyof typeof TAXES, PriceTax>) {
  const { newest: base } = (await owner.pos("GET", "/prices/test")).body;
  const rule = {
    ruleId: "all",
    enabled: true,
    target: {},
    class: "STANDARD",
    channel: "ANY",
    basis: "COST",
    how: "MARKUP",
    percent: "30",
  };
  const list = { rules: [rule], taxes, fxBufferPercent: "3", driftAlertPercent: "2" };
  expect((await owner.pos("PUT", "/prices/test", { list, base })).status).toBe(200);
}

beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const scope = { accountId: "default", environment: "test" } as const;
  await till.gateway.context.recharges.setTestWallet(scope, 10_000_000);
  await saveTaxes(TAXES);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

function plainTax(of: { paid: number; cost: number }, { kind, percent }: PriceTax): number {
  if (kind === "NONE") return 0;
  const [whole = "0", part = ""] = percent.split(".");
  const rate = BigInt(whole + part.padEnd(6, "0"));
  const taxed = BigInt(kind === "ON_PRICE" ? of.paid : Math.max(of.paid - of.cost, 0));
  const hundred = 100_000_000n + rate;
  return Number((2n * taxed * rate + hundred) / (2n * hundred));
}

const amount = fc.integer({ min: 0, max: 1_000_000_000 });
const percent = fc
  .tuple(fc.nat({ max: 9_999 }), fc.nat({ max: 999_999 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(6, "0")}`);
const kind = fc.constantFrom("NONE", "ON_PRICE", "ON_MARGIN");

it("the tax of a line is part of the paid price, exact to the minor unit, and zero for a loss", () => {
  fc.assert(
    fc.property(amount, amount, kind, percent, (paid, cost, kind, percent) => {
      const tax = taxPart({ paid, cost }, { kind, percent });
      expect(tax).toBe(plainTax({ paid, cost }, { kind, percent }));
      expect(tax).toBeGreaterThanOrEqual(0);
      expect(tax).toBeLessThanOrEqual(paid);
      if (kind === "ON_MARGIN") expect(tax).toBeLessThanOrEqual(Math.max(0, paid - cost));
    }),
    { numRuns: 2_000 },
  );
});

interface Basket {
  line: TestLine;
  discountPct: number;
}

async function sell(basket: readonly Basket[]) {
  const plain = await owner.prepareSale(basket.map(({ line }) => line));
  const lines = plain.lines.map((line, index) => ({
    ...line,
    discount: Math.floor((line.price * (basket[index]?.discountPct ?? 0)) / 100),
  }));
  const answer = await owner.pos("POST", "/sales", { ...plain, lines });
  expect(answer.status).toBe(200);
  await till.advance(SECOND);
  return answer.body;
}

async function readLines(saleId: string): Promise<FigureLine[]> {
  const day = new Date(till.clock.now()).toISOString().slice(0, 10);
  const path = `/figures/lines?firstDay=${day}&lastDay=${day}&limit=200`;
  const { list } = (await owner.pos("GET", path)).body as { list: FigureLine[] };
  return list.filter((line) => line.saleId === saleId);
}

async function readFiguresOfToday() {
  const day = new Date(till.clock.now()).toISOString().slice(0, 10);
  return (await owner.pos("GET", `/figures/money?firstDay=${day}&lastDay=${day}`)).body.figures;
}

const baskets = fc.array(
  fc.record({
    line: fc.constantFrom(TOPUP, VOUCHER, ESIM),
    discountPct: fc.constantFrom(0, 0, 7, 25, 60, 100),
  }),
  { minLength: 1, maxLength: 4 },
);

describe("the tax of a sale", () => {
  it("results from the discounted price of each line, and the lines' taxes add up to the sale's tax", async () => {
    await fc.assert(
      fc.asyncProperty(baskets, async (basket) => {
        const sale = await sell(basket);
        const lines = await readLines(sale.saleId);
        const sum = (of: (line: FigureLine) => number) =>
          lines.reduce((total, line) => total + of(line), 0);
        for (const { sold, cost, tax, family } of lines) {
          expect(tax).toBe(plainTax({ paid: sold, cost }, TAXES[family]));
        }
        expect(sum((line) => line.earned + line.tax + line.cost)).toBe(sale.total);
        const onPrice = lines.filter(({ family }) => family === "TOPUP");
        const tax = onPrice.reduce((total, line) => total + line.tax, 0);
        expect(sale.taxes).toEqual(tax > 0 ? [{ percent: "19", amount: tax }] : []);
      }),
      { numRuns: 15 },
    );
  });

  it("remains hidden if it is on the margin, because customers could calculate the margin", async () => {
    const { saleId, taxes } = await sell([{ line: VOUCHER, discountPct: 0 }]);
    expect(taxes).toEqual([]);
    expect((await readLines(saleId))[0]?.tax).toBeGreaterThan(0);
    const receipt = (await owner.pos("POST", `/sales/${saleId}/prints`)).body;
    expect(receipt.sale.taxes).toEqual([]);
  });

  it("excludes failed lines in figures, X and Z reports", async () => {
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    const x = async () => (await owner.pos("GET", `/shifts/${shift.shiftId}/x`)).body.figures.taxes;
    const basket = [TOPUP, REFUSED, VOUCHER].map((line) => ({ line, discountPct: 0 }));
    const [figures, taxes] = [await readFiguresOfToday(), await x()];
    const sale = await sell(basket);
    const part = sale.taxes[0].amount / 2;
    const onMargin = (await readLines(sale.saleId)).find(({ family }) => family === "VOUCHER");
    const customerRefund = {
      customerRefundId: sale.saleId,
      lines: [sale.lines[1].transactionId],
    };
    for (const _twice of [1, 2]) {
      const path = `/sales/${sale.saleId}/customer-refunds`;
      const { body } = await owner.pos("POST", path, customerRefund);
      expect(body.taxes).toEqual([{ percent: "19", amount: part }]);
    }
    expect((await readFiguresOfToday()).tax).toBe(figures.tax + part + (onMargin?.tax ?? 0));
    const [onPriceBefore, onMarginBefore] = taxes;
    const now = [
      { ...onPriceBefore, sold: onPriceBefore.sold + part },
      { ...onMarginBefore, sold: onMarginBefore.sold + onMargin?.tax },
    ];
    expect(await x()).toEqual(now);
    expect(now).toMatchObject([
      { kind: "ON_PRICE", percent: "19" },
      { kind: "ON_MARGIN", percent: "8.875" },
    ]);
    const close = `/shifts/${shift.shiftId}/close`;
    const z = (await owner.pos("POST", close, { counted: 0 })).body;
    expect(z.figures.taxes).toEqual(now);
    await owner.pos("POST", "/shifts", { shiftId: randomUUID(), float: 0 });
    const before = await readFiguresOfToday();
    await saveTaxes({ ...TAXES, TOPUP: NO_TAX });
    expect(await readFiguresOfToday()).toEqual(before);
    expect((await owner.pos("GET", `/sales/${sale.saleId}`)).body.taxes).toHaveLength(1);
    expect((await sell([{ line: TOPUP, discountPct: 0 }])).taxes).toEqual([]);
  });
});
