import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SaleLine } from "../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import { EARLIER_LINES, migration002 } from "../../../db/migrations/002-returned-lines.ts";
import { DAY, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";

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

const PRICE = 2_635;
const LINE: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED: TestLine = { ...LINE, recipientPhoneNumber: "+50251239001" };

describe("a customer refund", () => {
  async function sellRefused(lines: TestLine[]): Promise<Sale> {
    const { saleId } = (await owner.sell(lines)).body;
    await till.advance(2 * SECOND);
    return (await owner.pos("GET", `/sales/${saleId}`)).body;
  }

  const refund = (
    sale: Sale,
    lines: readonly SaleLine[],
    customerRefundId: string = randomUUID(),
  ) =>
    owner.pos("POST", `/sales/${sale.saleId}/customer-refunds`, {
      customerRefundId,
      lines: lines.map(({ transactionId }) => transactionId),
      kind: "CASH",
    });

  it("pays back the price of the line once", async () => {
    const sale = await sellRefused([{ ...REFUSED, discount: 35 }, LINE, REFUSED]);
    expect([sale.refundDue, sale.refunded]).toEqual([2 * PRICE - 35, 0]);
    const first = (await refund(sale, sale.lines.slice(0, 1))).body;
    expect([first.refundDue, first.refunded]).toEqual([PRICE, PRICE - 35]);
    expect(first.lines.map((line: SaleLine) => line.refunded)).toEqual([true, false, false]);
    const again = await refund(sale, [sale.lines[2]!, sale.lines[0]!]);
    expect([again.status, again.body]).toMatchObject([
      409,
      { errorCode: "REFUND_NOT_OWED", fields: { "lines.1": "is not owed" } },
    ]);
    const rest = (await refund(sale, sale.lines.slice(2))).body;
    expect([rest.refundDue, rest.refunded]).toEqual([0, 2 * PRICE - 35]);
  });

  it("becomes due if the provider refunds an eSIM, and the eSIM no longer counts as sold", async () => {
    const esim = { productType: "ESIM" as const, offerId: "AIRALO_ES_1GB_7D" };
    const { saleId } = (await owner.sell([LINE, esim])).body;
    await till.advance(2 * SECOND);
    const sold: Sale = (await owner.pos("GET", `/sales/${saleId}`)).body;
    const [, line] = sold.lines as [SaleLine, SaleLine];
    const readDay = async () =>
      (await owner.pos("GET", "/figures/today")).body.today.figures as Record<string, number>;
    const before = await readDay();
    await owner.pos("POST", `/transactions/${line.transactionId}/refund`);
    await till.settle();
    const canceled: Sale = (await owner.pos("GET", `/sales/${saleId}`)).body;
    expect(canceled).toMatchObject({ refundDue: line.price, refunded: 0 });
    expect(canceled.lines[1]).toMatchObject({
      status: "DONE",
      outcome: "NOT_DELIVERED",
      canceled: true,
      details: "NONE",
    });
    const owed = await readDay();
    expect([before.sold! - owed.sold!, owed.refundsDue! - before.refundsDue!]).toEqual([
      line.price,
      line.price,
    ]);
    const back = (await refund(canceled, canceled.lines.slice(1))).body;
    expect(back).toMatchObject({ refundDue: 0, refunded: line.price });
    const after = await readDay();
    expect([after.sold, after.refundsDue]).toEqual([owed.sold, before.refundsDue]);
    const money = await owner.pos("GET", "/figures/money?firstDay=2026-01-01&lastDay=2026-12-31");
    expect(money.body.tieOut).toMatchObject({ difference: 0, failedEarlier: 0, refunded: 0 });
  });

  it("has one booking for repeated and simultaneous requests", async () => {
    const sale = await sellRefused([REFUSED]);
    const customerRefundId = randomUUID();
    const same = await Promise.all(
      [1, 2, 3, 4].map(() => refund(sale, sale.lines, customerRefundId)),
    );
    expect(same.map(({ status, body }) => [status, body.refunded])).toEqual(
      Array.from({ length: 4 }, () => [200, PRICE]),
    );
    const other = await sellRefused([REFUSED]);
    const rivals = await Promise.all([1, 2, 3].map(() => refund(other, other.lines)));
    expect(rivals.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);
    const taken = await refund(other, other.lines, customerRefundId);
    expect([taken.status, taken.body.errorCode]).toEqual([409, "ID_TAKEN"]);
  });

  it("cannot include a delivered line, an unfinished line or a line of another sale", async () => {
    const sale = await sellRefused([LINE, { ...LINE, recipientPhoneNumber: "+50251239004" }]);
    const other = await sellRefused([REFUSED]);
    for (const line of [...sale.lines, ...other.lines]) {
      expect((await refund(sale, [line])).body.errorCode).toBe("REFUND_NOT_OWED");
    }
    await till.advance(DAY);
    owner = await owner.signIn(owner.staffId, OWNER_PIN);
    expect((await refund(sale, sale.lines.slice(1))).body.refunded).toBe(PRICE);
  });

  it("leaves the drawer's cash unchanged in training", async () => {
    const readCash = async () => {
      const { shift } = (await owner.pos("GET", "/shifts/current")).body;
      return (await owner.pos("GET", `/shifts/${shift.shiftId}/x`)).body.expectedCash;
    };
    const before = await readCash();
    await owner.pos("POST", "/session/training", { on: true });
    const sale = await sellRefused([REFUSED]);
    expect((await refund(sale, sale.lines)).body.refunded).toBe(PRICE);
    await owner.pos("POST", "/session/training", { on: false });
    expect(await readCash()).toBe(before);
  });

  it("reduces the day's figures", async () => {
    await till.advance(SECOND);
    const since = new Date(till.clock.now()).toISOString();
    const sale = await sellRefused([LINE, REFUSED, { ...REFUSED, discount: 600 }]);
    const figures = async () =>
      (await owner.pos("GET", `/sales?limit=9&offset=0&since=${since}`)).body.figures;
    const owed = 2 * PRICE - 600;
    expect(await figures()).toMatchObject({
      sold: PRICE,
      refundDue: owed,
      refunded: 0,
      discount: 0,
    });
    await refund(sale, sale.lines.slice(2));
    expect(await figures()).toMatchObject({ refundDue: PRICE, refunded: PRICE - 600 });
  });
});

it("the migration keeps the debts of a database with the earlier column of owed lines", async () => {
  const shop = await startTestGateway();
  const seller = await openTill(shop, { currency: "GTQ", rate: "7.75" });
  const { saleId } = (await seller.sell([LINE, REFUSED, REFUSED])).body;
  await shop.advance(2 * SECOND);
  const { lines } = (await seller.pos("GET", `/sales/${saleId}`)).body as Sale;
  await seller.pos("POST", `/sales/${saleId}/customer-refunds`, {
    customerRefundId: randomUUID(),
    lines: [lines[1]?.transactionId],
    kind: "CASH",
  });
  const writer = writerOf(shop.gateway.context.db);
  const readLines = async () => {
    const { rows } = await sql<{ returned_at: number | null; owed: number }>`
      select sale_id, position, returned_at, owed from sale_lines
      order by sale_id, position`.execute(writer);
    return rows;
  };
  const before = await readLines();
  const states = before.map((line) => [line.returned_at === null, line.owed].join());
  expect(new Set(states)).toEqual(new Set(["true,0", "false,0", "false,1"]));
  for (const statement of EARLIER_LINES) await statement.execute(writer);
  await migration002.up(writer);
  expect(await readLines()).toEqual(before);
  await migration002.up(writer);
  expect(await readLines()).toEqual(before);
  await shop.close();
});
