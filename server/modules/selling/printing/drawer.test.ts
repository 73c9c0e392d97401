import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { type FakePrinter, startFakePrinter } from "../../../testing/fake-printer.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";
import { until } from "../../../testing/until.ts";

let gateway: TestGateway;
let owner: TestTill;
let clerk: TestTill;
let device: FakePrinter;
const printerId = randomUUID();
const BEGINNING = Buffer.from([0x1b, 0x40, 0x1c, 0x2e, 0x1b, 0x4d, 0]);
const PULSE = Buffer.concat([BEGINNING, Buffer.from([0x1b, 0x70, 0, 50, 250])]);
const LINE: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED: TestLine = { ...LINE, recipientPhoneNumber: "+50251239001" };

beforeEach(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
  const { body } = await owner.pos("POST", "/staff", { name: "Ana", pin: "2583", role: "clerk" });
  clerk = await owner.signIn(body.staffId, "2583");
  device = await startFakePrinter();
  const printer = { name: "P", host: device.host, port: device.port, paper: "80mm", drawer: true };
  expect((await owner.pos("PUT", `/printers/${printerId}`, printer)).status).toBe(200);
});
afterEach(async () => {
  await gateway.close();
  await device.close();
});

interface Cause {
  reason: string;
  id: string;
}

function pulse(
  drawer?: Cause,
  who = clerk,
  printId = randomUUID(),
  on = printerId,
): Promise<Answer> {
  const data = PULSE.toString("base64");
  return who.pos("POST", `/printers/${on}/prints`, {
    printId,
    data,
    ...(drawer && { drawer }),
  });
}

function expectRefused({ status, body }: Answer, errorCode = "FORBIDDEN"): void {
  expect([status, body.errorCode, body.fields.right]).toEqual([403, errorCode, "noSale"]);
}

async function expectOpenings(count: number): Promise<void> {
  await until(async () => {
    await gateway.advance(500);
    return device.received.filter(({ length }) => length > 0).length === count;
  });
}

async function sell(line: TestLine, tenders?: object[]): Promise<Cause> {
  const sale = await clerk.prepareSale([line]);
  const answer = await clerk.pos("POST", "/sales", { ...sale, ...(tenders && { tenders }) });
  expect(answer.status).toBe(200);
  await gateway.settle();
  return { reason: "SALE", id: sale.saleId };
}

describe("the drawer", () => {
  it("opens once for a cash sale, and only for the person who made the sale", async () => {
    const sale = await sell(LINE);
    expectRefused(await pulse(sale, owner));
    expect((await pulse(sale)).status).toBe(200);
    expectRefused(await pulse(sale));
    await expectOpenings(1);
  });

  it("opens once for many simultaneous requests with the same sale", async () => {
    const sale = await sell(LINE);
    const answers = await Promise.all([1, 2, 3, 4].map(() => pulse(sale)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 403, 403, 403]);
  });

  it("stays closed for a card sale, an old sale, another person's sale, and without a booking", async () => {
    const { price } = (await clerk.pos("POST", "/quotes", { offerId: LINE.offerId })).body;
    const card = { kind: "CARD", amount: price };
    expectRefused(await pulse(await sell(LINE, [card])));
    expectRefused(await pulse(await sell(LINE, [card, { kind: "CASH", tendered: 0 }])));
    expectRefused(await pulse({ reason: "SALE", id: randomUUID() }));
    expectRefused(await pulse({ reason: "MOVEMENT", id: randomUUID() }));
    expectRefused(await pulse());
    const sale = await sell(LINE);
    await gateway.advance(10 * MINUTE);
    expectRefused(await pulse(sale));
    expect(device.received).toEqual([]);
  });

  it("opens at sales and refunds by tenders that are set to open it, and otherwise stays closed even for cash", async () => {
    const facts = { offered: true, opensDrawer: true };
    const list = [
      { tenderId: "CASH", kind: "CASH", offered: true, opensDrawer: false },
      { tenderId: "CARD", kind: "CARD", offered: true, opensDrawer: false },
      { tenderId: "OTHER", kind: "OTHER", offered: true, opensDrawer: false },
      { name: "Cheque", kind: "OTHER", ...facts },
    ];
    const saved = await owner.pos("PUT", "/tenders", { base: 0, list });
    const { tenderId } = saved.body.list[3];
    const { price } = (await clerk.pos("POST", "/quotes", { offerId: LINE.offerId })).body;
    const cheque = { kind: "OTHER", tenderId, amount: price };
    expectRefused(await pulse(await sell(LINE)));
    expectRefused(await pulse(await sell(LINE, [{ kind: "OTHER", amount: price }])));
    expect((await pulse(await sell(LINE, [cheque]))).status).toBe(200);
    const { id } = await sell(REFUSED, [cheque]);
    await gateway.advance(MINUTE);
    const { lines } = (await clerk.pos("GET", `/sales/${id}`)).body;
    const customerRefundId = randomUUID();
    const back = { customerRefundId, lines: [lines[0].transactionId] };
    expect((await clerk.pos("POST", `/sales/${id}/customer-refunds`, back)).status).toBe(200);
    expect((await pulse({ reason: "CUSTOMER_REFUND", id: customerRefundId })).status).toBe(200);
    await expectOpenings(2);
  });

  it("opens for every booked movement, and for a refund in cash", async () => {
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    const movements = [
      { kind: "PAY_IN", amount: 500, reason: "coins" },
      { kind: "PAY_OUT", amount: 100, reason: "milk" },
      { kind: "DROP", amount: 100 },
      { kind: "NO_SALE", reason: "change" },
    ];
    for (const movement of movements) {
      const movementId = randomUUID();
      const path = `/shifts/${shift.shiftId}/movements`;
      expect((await owner.pos("POST", path, { movementId, ...movement })).status).toBe(200);
      expect((await pulse({ reason: "MOVEMENT", id: movementId }, owner)).status).toBe(200);
    }
    await expectOpenings(movements.length);

    const { id } = await sell(REFUSED);
    await gateway.advance(MINUTE);
    const { lines } = (await clerk.pos("GET", `/sales/${id}`)).body;
    const customerRefundId = randomUUID();
    const customerRefund = { customerRefundId, lines: [lines[0].transactionId], kind: "CASH" };
    expectRefused(await pulse({ reason: "CUSTOMER_REFUND", id: customerRefundId }));
    expect((await clerk.pos("POST", `/sales/${id}/customer-refunds`, customerRefund)).status).toBe(
      200,
    );
    expect((await pulse({ reason: "CUSTOMER_REFUND", id: customerRefundId })).status).toBe(200);
  });

  it("opens at only one printer for a sale", async () => {
    const other = randomUUID();
    const second = { name: "Q", host: "127.0.0.2", port: device.port, paper: "80mm", drawer: true };
    expect((await owner.pos("PUT", `/printers/${other}`, second)).status).toBe(200);
    const sale = await sell(LINE);
    const printId = randomUUID();
    expect((await pulse(sale, clerk, printId)).status).toBe(200);
    expectRefused(await pulse(sale, clerk, printId, other));
    expectRefused(await pulse(sale, clerk, randomUUID(), other));
    expect((await pulse(sale, clerk, printId)).status).toBe(200);
    await expectOpenings(1);
  });

  it("stays closed in training, even for owners and for tests", async () => {
    const { db } = gateway.gateway.context;
    const id = (await sell(LINE)).id;
    await writerOf(db).updateTable("shops").set({ till_environment: "live" }).execute();
    expect((await owner.pos("POST", "/session/training", { on: true })).status).toBe(200);
    expect((await clerk.pos("POST", "/session/training", { on: true })).status).toBe(200);
    expectRefused(await pulse({ reason: "SALE", id }));
    expectRefused(await pulse({ reason: "TEST", id: printerId }, owner));
    expect(device.received).toEqual([]);
  });

  it("stays closed for a pulse that is split into two prints", async () => {
    const path = `/printers/${printerId}/prints`;
    for (const part of [Buffer.concat([BEGINNING, Buffer.from([0x1b])]), PULSE.subarray(-4)]) {
      const data = part.toString("base64");
      expectRefused(await clerk.pos("POST", path, { printId: randomUUID(), data }));
    }
  });

  it("opens again only for the same print after the printer failed", async () => {
    device.manner = "out-of-paper";
    const sale = await sell(LINE);
    const { printId } = (await pulse(sale)).body;
    const path = `/printers/${printerId}/prints/${printId}`;
    await until(async () => {
      await gateway.advance(500);
      return (await clerk.pos("GET", path)).body.state === "FAILED";
    });
    device.manner = "well";
    expectRefused(await pulse(sale));
    expect((await pulse(sale, clerk, printId)).status).toBe(200);
    await expectOpenings(1);
  });

  it("can be tested by people who may open it without a sale, and the test is recorded", async () => {
    const test = { reason: "TEST", id: printerId };
    expectRefused(await pulse(test), "APPROVAL_REQUIRED");
    expect((await pulse(test, owner)).status).toBe(200);
    const { list } = (await owner.pos("GET", "/audit-trail?limit=1")).body;
    expect(list[0]).toMatchObject({ action: "printer.drawer-test", subject: printerId });
  });
});
