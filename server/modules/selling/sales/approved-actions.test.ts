import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SaleLineInput } from "../../../contract/pos/sale-lines.ts";
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
const TOPUP: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

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

async function expectNothingDone(action: () => Promise<Answer>): Promise<void> {
  const before = await digestDatabase(till.gateway.context.db);
  const refused = await action();
  expect([refused.status, refused.body.errorCode]).toEqual([403, "APPROVAL_REQUIRED"]);
  expect(refused.body.fields.approvalId).toBe("is for something else");
  expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
}

describe("an approval of a discount", () => {
  it("covers only the displayed sale, not a changed sale", async () => {
    const shown = await clerk.prepareSale([{ ...TOPUP, discount: 34 }]);
    const approvalId = await approve(await clerk.pos("POST", "/sales", shown), shown.saleId);
    const more = Array.from({ length: 20 }, (_, n) => ({
      ...TOPUP,
      recipientPhoneNumber: `+502576543${n + 10}`,
      discount: 34,
    }));
    const other = await clerk.prepareSale(more);
    await expectNothingDone(() =>
      clerk.pos("POST", "/sales", { ...other, saleId: shown.saleId, approvalId }),
    );
    const sold = await clerk.pos("POST", "/sales", { ...shown, approvalId });
    expect([sold.status, sold.body.discount]).toEqual([200, 34]);
    expect((await clerk.pos("POST", "/sales", { ...shown, approvalId })).status).toBe(200);
    await till.settle();
  });

  it("covers only its amount and its line if it was given before the payment", async () => {
    const { saleId, lines } = await clerk.prepareSale([{ ...TOPUP, discount: 34 }, TOPUP]);
    const [{ transactionId, offerId, price }, plain] = lines as [SaleLineInput, SaleLineInput];
    const discount = { saleId, transactionId, offerId, price, discount: 34 };
    const refused = await clerk.pos("POST", "/sales/discounts", discount);
    expect(refused.body.fields).toMatchObject({ right: "discountPct", needs: "discountPct=10" });
    const discountApprovalId = await approve(refused, saleId);
    const sell = (line: object, other: object, total: number) =>
      clerk.pos("POST", "/sales", {
        saleId,
        lines: [
          { ...lines[0], discountApprovalId, ...line },
          { ...plain, ...other },
        ],
        tenders: [{ kind: "CASH", tendered: total }],
      });
    const before = await digestDatabase(till.gateway.context.db);
    const swapped = { transactionId: randomUUID() };
    for (const refusal of [
      await sell({ discount: 35 }, {}, 2 * PRICE),
      await sell(swapped, {}, 2 * PRICE),
      await sell({}, { discount: 34, discountApprovalId }, 2 * PRICE),
    ]) {
      expect(refusal.body.fields).toMatchObject({ right: "discountPct" });
    }
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    const sold = await sell({}, {}, 2 * PRICE - 34);
    expect([sold.status, sold.body.approvedBy]).toMatchObject([200, { staffId: owner.staffId }]);
    expect((await sell({}, {}, 2 * PRICE - 34)).body.saleId).toBe(saleId);
    const again = { saleId: randomUUID(), lines, tenders: [{ kind: "CASH", tendered: 2 * PRICE }] };
    expect((await clerk.pos("POST", "/sales", again)).status).toBe(403);
    await till.settle();
  });

  it("appears in the audit trail for each of several discounts, with its approver", async () => {
    const added = { name: "Bea", role: "supervisor", pin: "3691" };
    const bea: string = (await owner.pos("POST", "/staff", added)).body.staffId;
    const { saleId, lines } = await clerk.prepareSale([
      { ...TOPUP, discount: 34 },
      { ...TOPUP, recipientPhoneNumber: "+50257654321", discount: 34 },
    ]);
    const approvers = [
      { staffId: bea, pin: "3691", subject: saleId },
      { staffId: owner.staffId, pin: OWNER_PIN, subject: saleId },
    ];
    const approved: object[] = [];
    for (const [index, by] of approvers.entries()) {
      const { transactionId, offerId, price } = lines[index] as SaleLineInput;
      const discount = { saleId, transactionId, offerId, price, discount: 34 };
      const refused = await clerk.pos("POST", "/sales/discounts", discount);
      const discountApprovalId = await approveRefused(clerk, refused, by);
      approved.push({ ...lines[index], discountApprovalId });
    }
    const tenders = [{ kind: "CASH", tendered: 2 * PRICE }];
    const sold = await clerk.pos("POST", "/sales", { saleId, lines: approved, tenders });
    expect([sold.status, sold.body.discount]).toEqual([200, 68]);
    const trail = await owner.pos("GET", "/audit-trail?action=approval.use&limit=10");
    expect(trail.body.list).toMatchObject([
      { staff: { staffId: clerk.staffId }, subject: saleId, detail: { approvedBy: "Olga" } },
      { staff: { staffId: clerk.staffId }, subject: saleId, detail: { approvedBy: "Bea" } },
    ]);
    await till.settle();
  });
});
