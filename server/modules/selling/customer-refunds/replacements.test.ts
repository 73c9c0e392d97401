import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sale } from "../../../contract/pos/sales.ts";
import { SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

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
const OFFER = "TIGO_GT_TOPUP_25";
const WRONG = "+50251239001";
const RIGHT = "+50251234567";

describe("replacements of undelivered lines", () => {
  async function sellRefused(tendered = PRICE): Promise<Sale> {
    const { saleId } = (
      await owner.sell([{ offerId: OFFER, recipientPhoneNumber: WRONG }], tendered)
    ).body;
    await till.advance(2 * SECOND);
    return read(saleId);
  }

  async function read(saleId: string): Promise<Sale> {
    return (await owner.pos("GET", `/sales/${saleId}`)).body;
  }

  const replacementOf = (sale: Sale, line: object = {}) => ({
    customerRefundId: randomUUID(),
    replacementId: randomUUID(),
    replaces: sale.lines[0]!.transactionId,
    line: {
      transactionId: randomUUID(),
      productType: "TOPUP",
      offerId: OFFER,
      recipientPhoneNumber: RIGHT,
      price: PRICE,
      ...line,
    },
  });

  async function replace(sale: Sale, body: object, as: TestTill = owner) {
    const answer = await as.pos("POST", `/sales/${sale.saleId}/replacements`, body);
    await till.settle();
    return answer;
  }

  async function cashOfShift(): Promise<number> {
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    return (await owner.pos("GET", `/shifts/${shift.shiftId}/x`)).body.expectedCash;
  }

  it("deliver to a corrected number with the same payment, and leave the drawer's cash unchanged", async () => {
    const sale = await sellRefused(5_000);
    const before = await cashOfShift();
    const replaced = await replace(sale, replacementOf(sale));
    expect([replaced.status, replaced.body.total, replaced.body.change]).toEqual([200, PRICE, 0]);
    await till.advance(2 * SECOND);
    const sent = await read(replaced.body.saleId);
    expect([sent.lines[0]!.outcome, sent.lines[0]!.recipientPhoneNumber]).toEqual([
      "DELIVERED",
      RIGHT,
    ]);
    expect(await read(sale.saleId)).toMatchObject({ refundDue: 0, refunded: PRICE });
    // The number of the new sale shows the till that the money must not be paid out.
    expect((await read(sale.saleId)).lines[0]!.sentAgainAs).toBe(sent.saleNumber);
    expect(await cashOfShift()).toBe(before);
    const { timeline } = (await owner.pos("GET", `/transactions/${sale.lines[0]!.transactionId}`))
      .body;
    const moved = { what: "PAYMENT_MOVED", saleNumber: sent.saleNumber, amount: PRICE };
    expect(timeline).toContainEqual(expect.objectContaining(moved));
  });

  it("use the tender of the undelivered line, which the audit trail names", async () => {
    const { revision: base, list } = (await owner.pos("GET", "/tenders")).body;
    const visa = { name: "Visa terminal", kind: "CARD", opensDrawer: false, offered: true };
    for (const tender of list) delete tender.used;
    const saved = await owner.pos("PUT", "/tenders", { base, list: [...list, visa] });
    const { tenderId } = saved.body.list.at(-1);
    const { saleId, lines } = await owner.prepareSale([
      { offerId: OFFER, recipientPhoneNumber: WRONG },
    ]);
    const tenders = [{ kind: "CARD", tenderId, amount: PRICE }];
    expect((await owner.pos("POST", "/sales", { saleId, lines, tenders })).status).toBe(200);
    await till.advance(2 * SECOND);
    const sale = await read(saleId);
    const replaced = await replace(sale, replacementOf(sale));
    expect([replaced.status, replaced.body.tenders]).toMatchObject([200, tenders]);
    const trail = await owner.pos("GET", "/audit-trail?action=sale.customer-refund&limit=1");
    expect(trail.body.list[0].detail).toMatchObject({ kind: "CARD", tender: "Visa terminal" });
  });

  it("reach the provider once if the request arrives several times", async () => {
    const sale = await sellRefused();
    const body = replacementOf(sale);
    const same = await Promise.all([1, 2, 3].map(() => replace(sale, body)));
    const late = await replace(sale, body);
    expect([...same, late].map(({ status, body: { saleId } }) => [status, saleId])).toEqual(
      Array.from({ length: 4 }, () => [200, body.replacementId]),
    );
    const rival = await replace(sale, replacementOf(sale));
    expect([rival.status, rival.body.errorCode]).toEqual([409, "REFUND_NOT_OWED"]);
  });

  it("need one refund each, even if two simultaneous requests have the same refund id", async () => {
    const sale = await sellRefused();
    const body = replacementOf(sale);
    const rival = { ...replacementOf(sale), customerRefundId: body.customerRefundId };
    const both = await Promise.all([replace(sale, body), replace(sale, rival)]);
    const refused = both.filter(({ status }) => status === 409);
    expect(refused.map(({ body: { errorCode } }) => errorCode)).toEqual(["ID_TAKEN"]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const sales = await Promise.all(
      [body, rival].map(({ replacementId }) => owner.pos("GET", `/sales/${replacementId}`)),
    );
    expect(sales.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("cannot be sent after the line was refunded", async () => {
    const refunded = await sellRefused();
    await owner.pos("POST", `/sales/${refunded.saleId}/customer-refunds`, {
      customerRefundId: randomUUID(),
      lines: [refunded.lines[0]!.transactionId],
    });
    const late = replacementOf(refunded);
    expect((await replace(refunded, late)).body.errorCode).toBe("REFUND_NOT_OWED");
    expect((await owner.pos("GET", `/sales/${late.replacementId}`)).status).toBe(404);
  });

  it("leave the line's refund owed if the gateway refuses them", async () => {
    const sale = await sellRefused();
    const refused = await replace(sale, replacementOf(sale, { price: PRICE - 1 }));
    expect([refused.status, refused.body.errorCode]).toEqual([409, "PRICE_CHANGED"]);
    expect(await read(sale.saleId)).toMatchObject({ refundDue: PRICE, refunded: 0 });
  });

  it("need no approval for limits that the paid sale already used up", async () => {
    const hired = await owner.pos("POST", "/staff", { name: "Eva", pin: "7418", role: "clerk" });
    const limits = { perSale: PRICE, perDay: PRICE, perProduct: { TOPUP: PRICE } };
    await owner.pos("PATCH", `/staff/${hired.body.staffId}`, { limits });
    const eva = await owner.signIn(hired.body.staffId, "7418");
    const { saleId } = (await eva.sell([{ offerId: OFFER, recipientPhoneNumber: WRONG }])).body;
    await till.advance(2 * SECOND);
    await owner.pos("PATCH", `/staff/${hired.body.staffId}`, { limits: { ...limits, perSale: 1 } });
    const replaced = await replace(await read(saleId), replacementOf(await read(saleId)), eva);
    expect([replaced.status, replaced.body.total]).toEqual([200, PRICE]);
    const { errorCode } = (await eva.sell([{ offerId: OFFER, recipientPhoneNumber: RIGHT }])).body;
    expect(errorCode).toBe("APPROVAL_REQUIRED");
  });

  it("need an approval if the clerk may not refund customers", async () => {
    const sale = await sellRefused();
    const hired = await owner.pos("POST", "/staff", { name: "Ana", pin: "2583", role: "clerk" });
    await owner.pos("PATCH", `/staff/${hired.body.staffId}`, {
      ownRights: { customerRefund: false },
    });
    const ana = await owner.signIn(hired.body.staffId, "2583");
    const refused = await replace(sale, replacementOf(sale), ana);
    expect(refused.status).toBe(403);
  });
});
