import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE } from "../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../testing/test-gateway.ts";
import {
  approveRefused,
  OWNER_PIN,
  openTill,
  type TestLine,
  type TestTill,
} from "../../testing/test-till.ts";

/** Who sees what a customer redeems: whoever sold it, and whoever may print it again. */
let till: TestGateway;
let owner: TestTill;
let ana: TestTill;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const person = { name: "Ana", role: "clerk", pin: "1739" };
  const { staffId } = (await owner.pos("POST", "/staff", person)).body;
  await owner.pos("PATCH", `/staff/${staffId}`, { ownRights: { reprint: false } });
  ana = await owner.signIn(staffId, "1739");
});
afterAll(() => till.close());

const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };

async function sellCard(seller: TestTill): Promise<string> {
  const { saleId } = (await seller.sell([CARD])).body;
  await till.advance(MINUTE);
  return saleId;
}

async function seesPin(reader: TestTill, saleId: string): Promise<boolean> {
  const sale = (await reader.pos("GET", `/sales/${saleId}`)).body;
  expect(sale.lines[0].outcome).toBe("DELIVERED");
  return sale.lines[0].voucher !== undefined;
}

describe("a voucher's PIN", () => {
  it("is shown to whoever sold it and to whoever may print it again, and to nobody else", async () => {
    const [ofOwner, ofAna] = [await sellCard(owner), await sellCard(ana)];
    expect(await seesPin(owner, ofOwner)).toBe(true);
    expect(await seesPin(owner, ofAna)).toBe(true);
    expect(await seesPin(ana, ofAna)).toBe(true);
    expect(await seesPin(ana, ofOwner)).toBe(false);
  });

  it("is on no first print of somebody else's sale without the right to print again", async () => {
    const saleId = await sellCard(owner);
    const refused = await ana.pos("POST", `/sales/${saleId}/prints`);
    expect([refused.status, refused.body.errorCode, refused.body.fields.right]).toEqual([
      403,
      "APPROVAL_REQUIRED",
      "reprint",
    ]);
    const by = { staffId: owner.staffId, pin: OWNER_PIN, subject: saleId };
    const approvalId = await approveRefused(ana, refused, by);
    const printed = await ana.pos("POST", `/sales/${saleId}/prints?approvalId=${approvalId}`);
    expect(printed.body).toMatchObject({ copyNumber: 0, sale: { saleId } });
    expect(printed.body.sale.lines[0].voucher).toBeDefined();
    const own = await ana.pos("POST", `/sales/${await sellCard(ana)}/prints`);
    expect([own.status, own.body.copyNumber]).toEqual([200, 0]);
  });

  it("goes with no event to anybody else either", async () => {
    const { context } = till.gateway;
    const saleId = await sellCard(owner);
    const { transactionId } = (await owner.pos("GET", `/sales/${saleId}`)).body.lines[0];
    const scope = { accountId: context.accountId, environment: "test" as const };
    const seen = async (staffId: string, reprint: boolean) => {
      const reader = { ...scope, staffId, rights: { reprint } };
      const sale = await context.sales.findByTransaction(reader, transactionId);
      return sale?.lines[0]?.voucher !== undefined;
    };
    expect(await seen(owner.staffId, false)).toBe(true);
    expect(await seen(ana.staffId, false)).toBe(false);
    expect(await seen(ana.staffId, true)).toBe(true);
  });
});

describe("a sale that says where it is sold", () => {
  it("is sold there or nowhere, and leaves nothing behind", async () => {
    const sale = await owner.prepareSale([CARD]);
    const elsewhere = await owner.pos("POST", "/sales", { ...sale, environment: "live" });
    expect([elsewhere.status, elsewhere.body.fields]).toEqual([
      400,
      { environment: "must be test" },
    ]);
    expect((await owner.pos("GET", `/sales/${sale.saleId}`)).status).toBe(404);
    const here = await owner.pos("POST", "/sales", { ...sale, environment: "test" });
    expect([here.status, here.body.environment]).toEqual([200, "test"]);
  });
});
