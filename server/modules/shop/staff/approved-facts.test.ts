import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE } from "../../../lib/clock.ts";
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
let ana: TestTill;
let shiftId: string;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const person = { name: "Ana", role: "clerk", pin: "1739" };
  const { staffId } = (await owner.pos("POST", "/staff", person)).body;
  const none = { reprint: false, customerRefund: false };
  await owner.pos("PATCH", `/staff/${staffId}`, { ownRights: none });
  ana = await owner.signIn(staffId, "1739");
  shiftId = (await ana.pos("GET", "/shifts/current")).body.shift.shiftId;
});
afterAll(() => till.close());

const TOPUP: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED: TestLine = { ...TOPUP, recipientPhoneNumber: "+50251239001" };
const SLOW: TestLine = { ...TOPUP, recipientPhoneNumber: "+50251239004" };
const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const QUETZAL = { currency: "GTQ", currencyDivisor: 100 };

interface ApprovalCase {
  subject: string;
  send(approvalId?: string): Promise<Answer>;
}

async function sold(lines: TestLine[]) {
  const { saleId } = (await ana.sell(lines)).body;
  await till.advance(MINUTE);
  return (await ana.pos("GET", `/sales/${saleId}`)).body;
}

function moving(body: object): ApprovalCase {
  const movementId = randomUUID();
  return {
    subject: movementId,
    send: (approvalId) =>
      ana.pos("POST", `/shifts/${shiftId}/movements`, {
        movementId,
        ...body,
        ...(approvalId && { approvalId }),
      }),
  };
}

const REQUESTS: Record<string, () => Promise<[ApprovalCase, facts: object]>> = {
  "cash for an expense": async () => [
    moving({ kind: "PAY_OUT", amount: 1_500, reason: "Milk" }),
    { kind: "PAY_OUT", amount: 1_500, reason: "Milk" },
  ],
  "the drawer without a sale": async () => [
    moving({ kind: "NO_SALE", reason: "Change for a note" }),
    { kind: "NO_SALE", reason: "Change for a note" },
  ],
  "a discount": async () => {
    const sale = await ana.prepareSale([{ ...TOPUP, discount: 50 }]);
    const price = sale.lines[0]?.price;
    return [
      {
        subject: sale.saleId,
        send: (approvalId) =>
          ana.pos("POST", "/sales", { ...sale, ...(approvalId && { approvalId }) }),
      },
      { product: "Tigo 25 GTQ", recipient: "+502 5123 4567", price, discount: 50 },
    ];
  },
  "a discount on an amount that was chosen": async () => {
    const value = { type: "ZEND", value: 2_700 } as const;
    const line = { offerId: "TIGO_GT_TOPUP_RANGE", recipientPhoneNumber: "+50251234567", value };
    const sale = await ana.prepareSale([{ ...line, discount: 50 }]);
    return [
      {
        subject: sale.saleId,
        send: (approvalId) =>
          ana.pos("POST", "/sales", { ...sale, ...(approvalId && { approvalId }) }),
      },
      { product: "Tigo 27.00 GTQ", price: sale.lines[0]?.price, discount: 50 },
    ];
  },
  "a copy of a receipt of an amount that was chosen": async () => {
    const value = { type: "ZEND", value: 2_700 } as const;
    const line = { offerId: "TIGO_GT_TOPUP_RANGE", recipientPhoneNumber: "+50251234567", value };
    const { saleId, saleNumber } = await sold([line]);
    await ana.pos("POST", `/sales/${saleId}/prints`);
    return [
      {
        subject: saleId,
        send: (approvalId) =>
          ana.pos(
            "POST",
            `/sales/${saleId}/prints?${approvalId ? `approvalId=${approvalId}` : ""}`,
          ),
      },
      { saleNumber, product: "Tigo 27.00 GTQ", soldBy: "Ana" },
    ];
  },
  "a copy of a receipt": async () => {
    const { saleId, saleNumber } = await sold([TOPUP]);
    await ana.pos("POST", `/sales/${saleId}/prints`);
    return [
      {
        subject: saleId,
        send: (approvalId) =>
          ana.pos(
            "POST",
            `/sales/${saleId}/prints?${approvalId ? `approvalId=${approvalId}` : ""}`,
          ),
      },
      { saleNumber, product: "Tigo 25 GTQ", recipient: "+502 5123 4567", soldBy: "Ana" },
    ];
  },
  "a PIN once more": async () => {
    const { saleId, saleNumber, lines } = await sold([CARD]);
    await till.advance(10 * MINUTE);
    const [{ brandName, title }] = lines;
    return [
      {
        subject: saleId,
        send: (approvalId) =>
          ana.pos("POST", `/sales/${saleId}/reveal`, approvalId ? { approvalId } : {}),
      },
      { saleNumber, product: `${brandName} ${title}`, soldBy: "Ana" },
    ];
  },
  "money given back in cash that came by card": async () => {
    const sale = await ana.prepareSale([REFUSED]);
    const amount = sale.lines[0]?.price ?? 0;
    const tenders = [{ kind: "CARD", amount }];
    await ana.pos("POST", "/sales", { ...sale, tenders });
    await till.settle();
    await till.advance(MINUTE);
    const { saleId, saleNumber, lines } = (await ana.pos("GET", `/sales/${sale.saleId}`)).body;
    const body = {
      customerRefundId: randomUUID(),
      lines: lines.map((line: { transactionId: string }) => line.transactionId),
      kind: "CASH",
    };
    return [
      {
        subject: saleId,
        send: (approvalId) =>
          ana.pos("POST", `/sales/${saleId}/customer-refunds`, {
            ...body,
            ...(approvalId && { approvalId }),
          }),
      },
      { saleNumber, amount, kind: "CASH", product: "Tigo 25 GTQ", recipient: "+502 5123 9001" },
    ];
  },
  "a shift closed while something is being sent": async () => {
    await sold([SLOW]);
    const body = { counted: 4_200, leaveUnfinished: true };
    return [
      {
        subject: shiftId,
        send: (approvalId) =>
          ana.pos("POST", `/shifts/${shiftId}/close`, {
            ...body,
            ...(approvalId && { approvalId }),
          }),
      },
      { unfinished: 1, counted: 4_200, product: "Tigo 25 GTQ", recipient: "+502 5123 9004" },
    ];
  },
};

async function readTrail(subject: string) {
  const { list } = (await owner.pos("GET", "/audit-trail?limit=200")).body;
  return list.filter((entry: { subject: string; action: string }) => {
    return entry.subject === subject && entry.action.startsWith("approval.");
  });
}

describe.each(Object.keys(REQUESTS))("the approval of %s", (name) => {
  it("shows the whole request, and the audit trail records it once as given and once as used", async () => {
    const [asked, facts] = (await REQUESTS[name]?.()) ?? [];
    if (!asked) throw new Error(name);
    const refused = await asked.send();
    expect([refused.status, refused.body.errorCode]).toEqual([403, "APPROVAL_REQUIRED"]);
    expect(JSON.parse(refused.body.fields.facts)).toMatchObject({ ...facts, ...QUETZAL });

    // An approval of other facts has no effect.
    const by = { staffId: owner.staffId, pin: OWNER_PIN, subject: asked.subject };
    const other = JSON.stringify({ ...JSON.parse(refused.body.fields.facts), amount: 1 });
    const body = { ...refused.body, fields: { ...refused.body.fields, facts: other } };
    const pretended = await approveRefused(ana, { ...refused, body }, by);
    const again = await asked.send(pretended);
    expect(again.body.fields.approvalId).toBe("is for something else");

    const approvalId = await approveRefused(ana, refused, by);
    expect((await asked.send(approvalId)).status).toBe(200);
    const [used, given] = await readTrail(asked.subject);
    expect([used.action, given.action]).toEqual(["approval.use", "approval.give"]);
    expect(given.detail).toMatchObject({ ...facts, ...QUETZAL, requestedBy: "Ana" });
    expect(used.detail).toMatchObject({ ...facts, ...QUETZAL, approvedBy: "Olga" });
  });
});

it("the gateway refuses an approval with invalid facts and names the field", async () => {
  const input = {
    approvalId: randomUUID(),
    staffId: owner.staffId,
    pin: OWNER_PIN,
    rights: [{ right: "payOut" }],
    subject: "x",
    requestDigest: "0".repeat(64),
  };
  for (const facts of [undefined, "", "[]", "1", '{"a":{}}', '{"a":null}']) {
    const { status, body } = await ana.pos("POST", "/approvals", { ...input, facts });
    expect([status, Object.keys(body.fields)]).toEqual([400, ["facts"]]);
  }
});
