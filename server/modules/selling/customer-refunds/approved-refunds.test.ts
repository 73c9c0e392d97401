import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TenderInput } from "../../../contract/pos/tenders.ts";
import { MINUTE } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import {
  approveRefused,
  OWNER_PIN,
  openTill,
  type TestLine,
  type TestTill,
} from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let clerk: TestTill;
const PRICE = 340;
const REFUSED: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239001" };

beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  const added = { name: "Ana", role: "clerk", pin: "2583" };
  const { staffId } = (await owner.pos("POST", "/staff", added)).body;
  clerk = await owner.signIn(staffId, "2583");
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

function approve(refusal: Answer, subject: string): Promise<string> {
  return approveRefused(clerk, refusal, { staffId: owner.staffId, pin: OWNER_PIN, subject });
}

async function sellInVain(lines: TestLine[], tenders: TenderInput[]) {
  const sale = await clerk.prepareSale(lines);
  expect((await clerk.pos("POST", "/sales", { ...sale, tenders })).status).toBe(200);
  await till.advance(MINUTE);
  const refund = (input: object) =>
    clerk.pos("POST", `/sales/${sale.saleId}/customer-refunds`, input);
  const ids = sale.lines.map(({ transactionId }) => transactionId);
  return { saleId: sale.saleId, ids, refund };
}

async function expectNothingDone(action: () => Promise<Answer>): Promise<void> {
  const before = await digestDatabase(till.gateway.context.db);
  const refused = await action();
  expect([refused.status, refused.body.errorCode]).toEqual([403, "APPROVAL_REQUIRED"]);
  expect(refused.body.fields.approvalId).toBe("is for something else");
  expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
}

describe("an approval of a customer refund", () => {
  it("covers only the approved lines and tender", async () => {
    await owner.pos("PATCH", `/staff/${clerk.staffId}`, { ownRights: { customerRefund: false } });
    const lines = [REFUSED, { ...REFUSED, recipientPhoneNumber: "+50251249001" }];
    const tenders = [{ kind: "CARD" as const, amount: 2 * PRICE }];
    const { saleId, ids, refund } = await sellInVain(lines, tenders);
    const asked = { customerRefundId: randomUUID(), lines: ids.slice(0, 1), kind: "CARD" };
    const refusal = await refund(asked);
    expect(refusal.body.fields.needs).toBe("customerRefund");
    const approvalId = await approve(refusal, saleId);
    for (const change of [{ lines: ids }, { kind: "CASH" }, { customerRefundId: randomUUID() }]) {
      await expectNothingDone(() => refund({ ...asked, ...change, approvalId }));
    }
    for (let time = 0; time < 2; time++) {
      const given = await refund({ ...asked, approvalId });
      expect([given.status, given.body.refunded]).toEqual([200, PRICE]);
    }
  });
});

describe("the tender of a refund", () => {
  it.each<[string, TenderInput[]]>([
    ["by card", [{ kind: "CARD", amount: PRICE }]],
    [
      "by card, with no cash beside",
      [
        { kind: "CARD", amount: PRICE },
        { kind: "CASH", tendered: 0 },
      ],
    ],
  ])("needs the pay-out permission for a cash refund of a sale paid %s", async (_how, tenders) => {
    const { saleId, ids, refund } = await sellInVain([REFUSED], tenders);
    const inCash = { customerRefundId: randomUUID(), lines: ids, kind: "CASH" };
    const refused = await refund(inCash);
    expect([refused.status, refused.body.fields.needs]).toEqual([403, `payOut=${PRICE}`]);
    const approvalId = await approve(refused, saleId);
    expect((await refund({ ...inCash, approvalId })).body.refunded).toBe(PRICE);
  });

  it("needs no further permission if it is the original tender", async () => {
    const { ids, refund } = await sellInVain([REFUSED], [{ kind: "CARD", amount: PRICE }]);
    const byCard = { customerRefundId: randomUUID(), lines: ids, kind: "CARD" };
    expect((await refund(byCard)).body.refunded).toBe(PRICE);
  });

  const SPLIT: TenderInput[] = [
    { kind: "CARD", amount: PRICE - 1 },
    { kind: "CASH", tendered: 1 },
  ];

  it("needs the pay-out permission only for the part that was not paid in cash", async () => {
    const { saleId, ids, refund } = await sellInVain([REFUSED], SPLIT);
    const inCash = { customerRefundId: randomUUID(), lines: ids, kind: "CASH" };
    const refused = await refund(inCash);
    expect([refused.status, refused.body.fields.needs]).toEqual([403, `payOut=${PRICE - 1}`]);
    const approvalId = await approve(refused, saleId);
    expect((await refund({ ...inCash, approvalId })).body.refunded).toBe(PRICE);
  });

  it("matches the original tenders by default", async () => {
    const { saleId, ids, refund } = await sellInVain([REFUSED], SPLIT);
    const ways = [
      { kind: "CASH", amount: 1 },
      { kind: "CARD", amount: PRICE - 1 },
    ];
    const owed = (await clerk.pos("GET", `/sales/${saleId}`)).body;
    expect([owed.refundDue, owed.refundTenders]).toEqual([PRICE, ways]);
    const given = await refund({ customerRefundId: randomUUID(), lines: ids });
    expect([given.status, given.body.refundTenders]).toEqual([200, []]);
    const { shift } = (await clerk.pos("GET", "/shifts/current")).body;
    const { figures } = (await owner.pos("GET", `/shifts/${shift.shiftId}/x`)).body;
    expect(figures.customerRefunds).toEqual([
      { kind: "CARD", count: 1, value: PRICE - 1 },
      { kind: "CASH", count: 1, value: 1 },
    ]);
  });

  it("takes into account earlier refunds of the sale", async () => {
    const other = { ...REFUSED, recipientPhoneNumber: "+50251249001" };
    const { ids, refund } = await sellInVain(
      [REFUSED, other],
      [
        { kind: "CARD", amount: PRICE },
        { kind: "CASH", tendered: PRICE },
      ],
    );
    const give = (index: number) =>
      refund({ customerRefundId: randomUUID(), lines: ids.slice(index, index + 1), kind: "CASH" });
    expect((await give(0)).status).toBe(200);
    expect((await give(1)).body.fields.needs).toBe(`payOut=${PRICE}`);
  });
});
