import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

let gateway: TestGateway;
let owner: TestTill;
const DAYS = "firstDay=2026-01-01&lastDay=2026-12-31";
const DELIVERED = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239001" };

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
});
afterAll(() => gateway.close());

async function newBrowser(): Promise<string> {
  const body = { staffId: owner.staffId, pin: OWNER_PIN };
  const { headers } = await gateway.call("POST", "/pos/session", { body });
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}

async function at(cookie: string, method: string, path: string, body?: unknown) {
  return gateway.call(method, `/pos${path}`, {
    headers: { cookie },
    ...(body !== undefined && { body }),
  });
}

async function sellAt(cookie: string, lines: Parameters<TestTill["prepareSale"]>[0]) {
  const sold = await at(cookie, "POST", "/sales", await owner.prepareSale(lines));
  expect(sold.status).toBe(200);
  await gateway.settle();
  return sold.body;
}

async function figuresByTill() {
  const { body } = await owner.pos("GET", `/figures/parts?${DAYS}&by=TILL`);
  return Object.fromEntries(
    body.list.map(({ value, name, figures }: never) => {
      const { lines, linesFailed } = figures as { lines: number; linesFailed: number };
      return [name || value, { lines, linesFailed }];
    }),
  );
}

it("tills are numbered by their first sale, and each sale and refund counts for the till that made it", async () => {
  const [first, second] = [await newBrowser(), await newBrowser()];
  // The second browser sells first and becomes Till 1, because a sign-in creates no till.
  await sellAt(second, [DELIVERED]);
  const { saleId, lines } = await sellAt(first, [DELIVERED, REFUSED]);
  await sellAt(second, [DELIVERED]);
  expect(await figuresByTill()).toEqual({
    "Till 1": { lines: 2, linesFailed: 0 },
    "Till 2": { lines: 1, linesFailed: 1 },
  });
  const refund = { customerRefundId: randomUUID(), lines: [lines[1].transactionId] };
  const back = await at(second, "POST", `/sales/${saleId}/customer-refunds`, refund);
  expect(back.status).toBe(200);
  // A failed line counts for the till that sold it, even if another till refunds it.
  expect(await figuresByTill()).toEqual({
    "Till 1": { lines: 2, linesFailed: 0 },
    "Till 2": { lines: 1, linesFailed: 1 },
  });

  const { list } = (await at(first, "GET", "/tills")).body;
  expect(list).toMatchObject([
    { tillId: "till-1", name: "Till 1", isHere: false },
    { tillId: "till-2", name: "Till 2", isHere: true },
  ]);
  await gateway.expectCleanBooks();
});

it("a renamed till has its new name in figures, rows and files, and both names in the audit trail", async () => {
  expect((await owner.pos("PUT", "/tills/till-9", { name: "Door" })).status).toBe(404);
  const taken = await owner.pos("PUT", "/tills/till-1", { name: "till 2" });
  expect([taken.status, taken.body.errorCode]).toEqual([409, "NAME_TAKEN"]);
  expect((await owner.pos("PUT", "/tills/till-1", { name: " Front door " })).body.name).toBe(
    "Front door",
  );
  expect(await figuresByTill()).toMatchObject({ "Front door": { lines: 2, linesFailed: 0 } });
  const rows = (await owner.pos("GET", `/figures/lines?${DAYS}&limit=50&by=TILL&value=till-1`))
    .body;
  const kinds = rows.list.map(({ kind, till }: { kind: string; till: string }) => [kind, till]);
  expect(kinds.toSorted()).toEqual([
    ["SOLD", "Front door"],
    ["SOLD", "Front door"],
  ]);
  const file = await fetch(`${gateway.url}/pos/figures/lines.csv?${DAYS}&by=TILL&value=till-1`, {
    headers: { cookie: owner.cookie },
  });
  expect((await file.text()).split("\r\n")[1]).toContain('"Front door"');
  const trail = (await owner.pos("GET", "/audit-trail?limit=5")).body.list;
  expect(trail).toContainEqual(
    expect.objectContaining({
      action: "till.name",
      detail: { name: "Front door", "name.was": "Till 1" },
    }),
  );
});

it("sales without a cookie, with a foreign cookie or in training create no till", async () => {
  await owner.sell([DELIVERED]);
  await sellAt(`${owner.cookie}; tillgate_device=made-up`, [DELIVERED]);
  expect(await figuresByTill()).toMatchObject({ UNKNOWN: { lines: 2 } });
  const trainee = await newBrowser();
  expect((await at(trainee, "POST", "/session/training", { on: true })).status).toBe(200);
  await sellAt(trainee, [DELIVERED]);
  expect((await owner.pos("GET", "/tills")).body.list).toHaveLength(2);
});
