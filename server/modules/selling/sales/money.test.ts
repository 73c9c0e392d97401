import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sale } from "../../../contract/pos/sales.ts";
import { changeOf, type Tender, type TenderInput } from "../../../contract/pos/tenders.ts";
import { Problem } from "../../../contract/problem.ts";
import { SECOND } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";
import { splitTenders } from "./tender-split.ts";

let till: TestGateway;
let owner: TestTill;
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

interface Mixture {
  lines: { line: TestLine; discountPct: number }[];
  cardPct: number;
  extra: number;
}

const PRICE = 2_635;
const LINE: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED: TestLine = { ...LINE, recipientPhoneNumber: "+50251239001" };
const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const ESIM: TestLine = { productType: "ESIM", offerId: "AIRALO_ES_1GB_7D" };

async function sellFor(tenders: TenderInput[], lines = [LINE]) {
  const sale = { ...(await owner.prepareSale(lines)), tenders };
  const answer = await owner.pos("POST", "/sales", sale);
  await till.advance(SECOND);
  return answer;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

const tenderLists = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("CASH" as const), tendered: fc.nat({ max: 30_000 }) }),
    fc.record({
      kind: fc.constantFrom("CARD" as const, "OTHER" as const),
      amount: fc.integer({ min: 1, max: 5_000 }),
    }),
  ),
  { maxLength: 5 },
);

describe("the payment of a sale", () => {
  it("equals the total plus the change, or the sale is refused", () => {
    fc.assert(
      fc.property(fc.nat({ max: 20_000 }), tenderLists, (total, given) => {
        const cash = given.filter(({ kind }) => kind === "CASH");
        const other = sum(given.map((tender) => ("amount" in tender ? tender.amount : 0)));
        const handed = sum(given.map((tender) => ("tendered" in tender ? tender.tendered : 0)));
        const isNeedless = total > 0 && other === total && handed > 0;
        const isEnough = other <= total && other + handed >= total;
        const isRight = cash.length <= 1 && isEnough && !isNeedless;
        let split: Tender[] | undefined;
        try {
          split = splitTenders(total, given);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
        expect(split !== undefined).toBe(isRight);
        if (!split) return;
        expect(sum(split.map(({ amount }) => amount))).toBe(total);
        expect(other + handed - changeOf(split)).toBe(total);
        expect(changeOf(split)).toBeGreaterThanOrEqual(0);
        expect(changeOf(split)).toBeLessThanOrEqual(handed);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, TenderInput[], Partial<Sale>]>([
    [
      "a card",
      [{ kind: "CARD", amount: PRICE, reference: "A-17" }],
      { tenders: [{ kind: "CARD", amount: PRICE, reference: "A-17" }], change: 0 },
    ],
    [
      "a card and cash, in that order",
      [
        { kind: "CARD", amount: 2_000 },
        { kind: "CASH", tendered: 1_000 },
      ],
      {
        tenders: [
          { kind: "CARD", amount: 2_000 },
          { kind: "CASH", amount: 635, tendered: 1_000 },
        ],
        change: 365,
      },
    ],
    [
      "two cards and something else",
      [
        { kind: "CARD", amount: 1_000 },
        { kind: "CARD", amount: 1_000 },
        { kind: "OTHER", amount: 635 },
      ],
      { change: 0, total: PRICE },
    ],
  ])("may consist of %s", async (_name, tenders, expected) => {
    const { status, body } = await sellFor(tenders);
    expect([status, body]).toEqual([200, expect.objectContaining(expected)]);
    expect((await owner.pos("GET", `/sales/${body.saleId}`)).body.tenders).toEqual(body.tenders);
  });

  it.each<[string, TenderInput[], string, Record<string, string>]>([
    ["nothing", [], "TENDER_SHORT", { tenders: `must pay ${PRICE} more` }],
    [
      "too little by card",
      [{ kind: "CARD", amount: PRICE - 1 }],
      "TENDER_SHORT",
      { tenders: "must pay 1 more" },
    ],
    [
      "too little in all",
      [
        { kind: "CASH", tendered: 634 },
        { kind: "CARD", amount: 2_000 },
      ],
      "TENDER_SHORT",
      { "tenders.0.tendered": "must be at least 635" },
    ],
    [
      "more than the total by card",
      [{ kind: "CARD", amount: PRICE + 1 }],
      "TENDER_OVER",
      { "tenders.0.amount": `must not be more than ${PRICE}` },
    ],
    [
      "cash although a card pays everything",
      [
        { kind: "CARD", amount: PRICE },
        { kind: "CASH", tendered: 9_500 },
      ],
      "TENDER_OVER",
      { "tenders.1.tendered": "must be 0, because nothing is left to pay" },
    ],
    [
      "cash twice",
      [
        { kind: "CASH", tendered: 2_000 },
        { kind: "CASH", tendered: 2_000 },
      ],
      "INVALID_REQUEST",
      { "tenders.1.kind": "is CASH a second time" },
    ],
    [
      "a card of no amount",
      [{ kind: "CARD" }],
      "INVALID_REQUEST",
      { "tenders.0.amount": "is required" },
    ],
  ])("cannot consist of %s", async (_name, tenders, errorCode, fields) => {
    const before = await digestDatabase(till.gateway.context.db);
    const { body } = await sellFor(tenders);
    expect(body).toMatchObject({ errorCode, fields });
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });

  it("adds up for every mixture of families, discounts and tenders, even for repeated requests", async () => {
    const mixtures = fc.record({
      lines: fc.array(
        fc.record({
          line: fc.constantFrom(LINE, REFUSED, CARD, ESIM),
          discountPct: fc.constantFrom(0, 0, 10, 33, 100),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      cardPct: fc.constantFrom(0, 40, 100),
      extra: fc.nat({ max: 9_999 }),
    });
    const wallet = { accountId: "default", environment: "test" } as const;
    const check = async ({ lines, cardPct, extra }: Mixture) => {
      await till.gateway.context.recharges.setTestWallet(wallet, 100_000);
      const sale = await owner.prepareSale(lines.map(({ line }) => line));
      for (const [index, { discountPct }] of lines.entries()) {
        const line = sale.lines[index]!;
        if (discountPct > 0) line.discount = Math.floor((line.price * discountPct) / 100);
      }
      const total = sum(sale.lines.map(({ price, discount = 0 }) => price - discount));
      const amount = Math.floor((total * cardPct) / 100);
      sale.tenders = [
        ...(amount > 0 ? [{ kind: "CARD" as const, amount }] : []),
        ...(amount > 0 && amount === total
          ? []
          : [{ kind: "CASH" as const, tendered: total - amount + extra }]),
      ];
      const change = amount > 0 && amount === total ? 0 : extra;
      const answers = await Promise.all([1, 2, 3].map(() => owner.pos("POST", "/sales", sale)));
      expect(new Set(answers.map(({ body }) => body.saleNumber)).size).toBe(1);
      await till.advance(2 * SECOND);
      const made = (await owner.pos("POST", "/sales", sale)).body as Sale;
      expect(made).toMatchObject({ total, change });
      expect(sum(made.tenders.map((tender) => tender.amount))).toBe(total);
      const failed = made.lines.filter(({ outcome }) => outcome === "NOT_DELIVERED");
      expect(made.refundDue).toBe(sum(failed.map(({ price, discount }) => price - discount)));
      expect(made.refundDue).toBeLessThanOrEqual(total);
    };
    await fc.assert(fc.asyncProperty(mixtures, check), { numRuns: 15 });
  });
});
