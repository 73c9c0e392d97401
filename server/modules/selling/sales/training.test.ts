import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HeldSaleInput } from "../../../contract/pos/held-sales.ts";
import { HOUR, MINUTE } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

/**
 * The shop sells in the test environment: only the training mark separates its sales from training.
 */
let gateway: TestGateway;
let owner: TestTill;
let clerk: TestTill;
const NUMBER = "+50251234567";
const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: NUMBER };
const REFUSED = { ...LINE, recipientPhoneNumber: "+50251239001" };
const WAITING = { ...LINE, recipientPhoneNumber: "+50251239004" };

beforeEach(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
  const input = { name: "Ana", role: "clerk", pin: "7391" };
  clerk = await owner.signIn((await owner.pos("POST", "/staff", input)).body.staffId, "7391");
});
afterEach(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

const REPORTS = "/reports/transactions";

function at(offset: number): string {
  return new Date(gateway.clock.now() + offset).toISOString();
}

async function train(on: boolean): Promise<void> {
  expect((await clerk.pos("POST", "/session/training", { on })).body.training).toBe(on);
}

async function figures() {
  const { shift } = (await clerk.pos("GET", "/shifts/current")).body;
  const x = (await clerk.pos("GET", `/shifts/${shift.shiftId}/x`)).body;
  const { total, figures: sold } = (await owner.pos("GET", "/sales?limit=50&offset=0")).body;
  const { available, held } = (await owner.pos("GET", "/wallet")).body.figures;
  const monitoring = await gateway.call("GET", "/healthz");
  return {
    x: { figures: x.figures, unfinished: x.unfinished, owed: x.owed },
    open: (await owner.pos("GET", "/shifts")).body.list.map(
      ({ sales }: { sales: unknown }) => sales,
    ),
    today: { total, sold },
    wallet: { available, held },
    balance: (await gateway.v1("GET", "/balance")).body,
    transactions: (await gateway.v1("GET", "/transactions?_limit=50&_offset=0")).body,
    topups: (await gateway.v1("GET", "/topups/purchases?_limit=50&_offset=0")).body,
    unfinished: (await owner.pos("GET", "/unfinished")).body.lines,
    recents: (await owner.pos("GET", "/recents")).body,
    earlier: (await owner.pos("GET", "/phone?number=%2B50251234567")).body.earlier,
    held: (await owner.pos("GET", "/held-sales")).body,
    alive: monitoring.status,
  };
}

function aBasket(): HeldSaleInput {
  const shown = {
    brand: "TIGO",
    brandName: "Tigo",
    brandColor: "#00377b",
    country: "GT",
    title: "25 GTQ",
    recipientFormatted: "+502 5123 4567",
    price: 340,
    priceCurrency: "USD",
    priceCurrencyDivisor: 100,
  };
  const lines = [{ input: { productType: "TOPUP" as const, ...LINE }, shown }];
  return { heldSaleId: randomUUID(), label: "Lady in red", lines };
}

describe("training in a shop of the test environment", () => {
  it("appears in no shift, wallet figure, list or report of the shop", async () => {
    await clerk.sell([LINE]);
    await gateway.advance(MINUTE);
    const before = await figures();
    await train(true);
    const sold = [];
    for (const line of [LINE, REFUSED, WAITING]) sold.push((await clerk.sell([line])).body);
    expect(sold.map(({ training }) => training)).toEqual([true, true, true]);
    expect(sold.every(({ shiftId }) => shiftId === undefined)).toBe(true);
    await gateway.advance(MINUTE);
    await train(false);
    const after = await figures();
    expect(after).toEqual(before);

    const day = { startGte: at(-HOUR), endLt: at(HOUR) };
    const { reportId } = (await gateway.v1("POST", REPORTS, day)).body;
    await gateway.settle();
    const { file } = (await gateway.v1("GET", `${REPORTS}/${reportId}`)).body;
    const csv: string = (await gateway.v1("GET", file.downloadUrl.split("/v1")[1])).body;
    expect(csv.trim().split("\r\n")).toHaveLength(1 + before.transactions.total);
    for (const { lines } of sold) expect(csv).not.toContain(lines[0].transactionId);
  });

  it("appears in no Z report, and its unfinished sales keep no shift open", async () => {
    await train(true);
    await clerk.sell([WAITING]);
    await train(false);
    const { shift } = (await clerk.pos("GET", "/shifts/current")).body;
    const z = await clerk.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 0 });
    expect(z.body).toMatchObject({
      expectedCash: 0,
      variance: 0,
      unfinished: [],
      figures: { sales: { count: 0, value: 0 } },
    });
  });

  it("uses no shift, no cash and no drawer movement", async () => {
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    await owner.pos("POST", "/session/training", { on: true });
    expect((await owner.pos("GET", "/shifts/current")).body).toEqual({});
    const movement = { movementId: randomUUID(), kind: "PAY_IN", amount: 100, reason: "coins" };
    const refused = await Promise.all([
      owner.pos("POST", "/shifts", { shiftId: randomUUID(), float: 100 }),
      owner.pos("POST", `/shifts/${shift.shiftId}/movements`, movement),
      owner.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 0 }),
      owner.pos("POST", `/shifts/${shift.shiftId}/force-close`, {}),
    ]);
    for (const { status, body } of refused) {
      expect([status, body.fields]).toEqual([403, { training: "must be over" }]);
    }
    const { saleId, lines } = (await owner.sell([REFUSED])).body;
    await gateway.advance(MINUTE);
    const refund = {
      customerRefundId: randomUUID(),
      lines: [lines[0].transactionId],
      kind: "CASH",
    };
    const given = await owner.pos("POST", `/sales/${saleId}/customer-refunds`, refund);
    expect([given.status, given.body.refundDue]).toEqual([200, 0]);
    await owner.pos("POST", "/session/training", { on: false });
    const x = (await owner.pos("GET", `/shifts/${shift.shiftId}/x`)).body;
    expect(x.figures).toMatchObject({ sales: { count: 0 }, customerRefunds: [] });
  });

  it("ignores an empty wallet, and does not count towards the daily limit", async () => {
    const { context } = gateway.gateway;
    const scope = { accountId: context.accountId, environment: "test" } as const;
    const prepared = await clerk.prepareSale([LINE]);
    const price = prepared.lines[0]?.price ?? 0;
    const limits = { perDay: price };
    expect((await owner.pos("PATCH", `/staff/${clerk.staffId}`, { limits })).status).toBe(200);
    await context.recharges.setTestWallet(scope, 0);
    await train(true);
    const sold = await clerk.sell([LINE]);
    expect(sold.status).toBe(200);
    await gateway.advance(MINUTE);
    const { lines } = (await clerk.pos("GET", `/sales/${sold.body.saleId}`)).body;
    expect(lines[0].outcome).toBe("DELIVERED");
    await train(false);
    await context.recharges.setTestWallet(scope, 100_000);
    expect((await clerk.sell([LINE])).status).toBe(200);
  });

  it("shares no sales, baskets or recent numbers with the shop's own sales", async () => {
    const real = (await clerk.sell([LINE])).body;
    await train(true);
    const seen = async () => ({
      total: (await clerk.pos("GET", "/sales?limit=50&offset=0")).body.total,
      recents: (await clerk.pos("GET", "/recents")).body.list.length,
      held: (await clerk.pos("GET", "/held-sales")).body.list.length,
      checked: (
        await clerk.pos("POST", "/sales/check", { lines: [{ productType: "TOPUP", ...LINE }] })
      ).body.lines[0].earlier?.saleId,
    });
    expect(await seen()).toEqual({ total: 0, recents: 0, held: 0, checked: undefined });
    expect((await clerk.pos("GET", `/sales/${real.saleId}`)).status).toBe(404);
    expect((await clerk.pos("POST", "/held-sales", aBasket())).status).toBe(200);
    const trained = (await clerk.sell([LINE])).body;
    expect(await seen()).toEqual({ total: 1, recents: 1, held: 1, checked: trained.saleId });
    await train(false);
    expect(await seen()).toEqual({ total: 1, recents: 1, held: 0, checked: real.saleId });
    expect((await clerk.pos("GET", `/sales/${trained.saleId}`)).status).toBe(404);
    expect(
      (await gateway.v1("GET", `/transactions/${trained.lines[0].transactionId}`)).status,
    ).toBe(404);
  });

  it("marks its receipts, unlike receipts of the shop's own sales", async () => {
    const real = (await clerk.sell([LINE])).body;
    await train(true);
    const trained = (await clerk.sell([LINE])).body;
    const paper = await clerk.pos("POST", `/sales/${trained.saleId}/prints`);
    expect(paper.body).toMatchObject({ training: true, sale: { training: true } });
    await train(false);
    const sold = await clerk.pos("POST", `/sales/${real.saleId}/prints`);
    expect(sold.body).toMatchObject({ training: false, sale: { training: false } });
  });

  it("never becomes a real sale: the gateway refuses a training sale that arrives after the training", async () => {
    await train(true);
    const sale = { ...(await clerk.prepareSale([LINE])), environment: "test", training: true };
    await train(false);
    const answer = await clerk.pos("POST", "/sales", sale);
    expect([answer.status, answer.body.errorCode, answer.body.fields]).toEqual([
      409,
      "ENVIRONMENT_CHANGED",
      { training: "must be false" },
    ]);
    expect((await owner.pos("GET", "/sales?limit=50&offset=0")).body.total).toBe(0);
  });

  it("returns a repeated training sale unchanged after training has ended", async () => {
    await train(true);
    const sale = { ...(await clerk.prepareSale([LINE])), environment: "test", training: true };
    const first = await clerk.pos("POST", "/sales", sale);
    await gateway.settle();
    await train(false);
    const again = await clerk.pos("POST", "/sales", sale);
    expect([first.status, again.status, again.body.training]).toEqual([200, 200, true]);
  });
});

describe("webhooks", () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver(gateway);
  });
  afterEach(() => receiver.close());

  it("receive no message about training, and no request to verify a training sale", async () => {
    const { webhooks } = gateway.gateway.context;
    for (const kind of ["TOPUP", "TRANSACTION"] as const) {
      await webhooks.add(
        { accountId: "default", staffId: undefined },
        { environment: "test", kind, url: `${receiver.url}/${kind}`, allowPrivate: true },
      );
    }
    const before = receiver.received.length;
    await train(true);
    await clerk.sell([LINE]);
    await gateway.advance(MINUTE);
    expect(receiver.received.slice(before)).toEqual([]);
  });
});
