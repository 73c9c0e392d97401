import { afterAll, beforeAll, expect, it } from "vitest";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import { DELIVERY_STATES } from "../../../contract/pos/webhooks.ts";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import { explainPlan } from "../../../testing/explained-plan.ts";
import { onlySqlite, READS_PLANS } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

/** rules#list-cost */
const statements: string[] = [];
const OWNER = { accountId: "default", staffId: undefined };
let till: TestGateway;
let receiver: Receiver;
let failing: Receiver;
beforeAll(async () => {
  till = await startTestGateway({ onStatement: (sql) => statements.push(sql) });
  receiver = await startReceiver(till);
  failing = await startReceiver(till);
  failing.behave(500);
});
afterAll(async () => {
  await till.close();
  await receiver.close();
  await failing.close();
});

async function sell(...ids: string[]): Promise<void> {
  const body = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
  for (const transactionId of ids) {
    const { status } = await till.v1("POST", "/topups/purchases", { ...body, transactionId });
    expect(status).toBe(200);
  }
  await till.advance(MINUTE);
}

async function list(filter: object) {
  const page = { _limit: 100, _offset: 0 };
  return till.gateway.context.webhooks.listDeliveries("default", { ...page, ...filter });
}

async function expectExact(webhooks: readonly string[]): Promise<number> {
  for (const environment of [undefined, ...ENVIRONMENTS]) {
    for (const webhookId of [undefined, ...webhooks]) {
      for (const state of [undefined, ...DELIVERY_STATES]) {
        const filter = { environment, webhookId, state };
        const { total, list: rows } = await list(filter);
        expect([filter, total]).toEqual([filter, rows.length]);
      }
    }
  }
  return (await list({})).total;
}

it("the total of deliveries stays exact through every change of a delivery", async () => {
  const { webhooks, housekeeping } = till.gateway.context;
  const added = { environment: "test", kind: "TOPUP", allowPrivate: true } as const;
  const { webhook: taken } = await webhooks.add(OWNER, { ...added, url: `${receiver.url}/hook` });
  const { webhook: gone } = await webhooks.add(OWNER, { ...added, url: `${failing.url}/hook` });
  const ids = [taken.webhookId, gone.webhookId];
  await sell("one", "two", "three");
  expect((await list({ state: "DELIVERED" })).total).toBe(3);
  expect((await list({ state: "PENDING" })).total).toBe(3);
  expect(await expectExact(ids)).toBe(6);

  await webhooks.remove(OWNER, gone.webhookId);
  expect((await list({ state: "CANCELLED" })).total).toBe(3);
  expect(await expectExact(ids)).toBe(6);

  till.clock.set(till.clock.now() + 91 * DAY);
  await till.settle();
  await sell("four");
  await housekeeping.clearAway();
  expect(await expectExact(ids)).toBe(1);
});

it(
  "counting deliveries reads only index entries, and the rows of undelivered deliveries",
  onlySqlite(READS_PLANS),
  async () => {
    for (const state of [undefined, ...DELIVERY_STATES]) {
      statements.length = 0;
      await list({ state, environment: "test" });
      const counts = statements.filter((text) => /count\(\*\) from webhook_deliveries/.test(text));
      expect(counts.length).toBeLessThan(2);
      for (const text of counts) {
        const plan = await explainPlan(till.gateway.context.db, text);
        const searches = plan.filter((step) => step.startsWith("SEARCH"));
        expect(searches.length).toBeGreaterThan(0);
        for (const step of searches) expect(step).toMatch(/COVERING INDEX|_undelivered/);
      }
    }
  },
);

it(
  "listing deliveries reads only the end of the table, without sorting older rows",
  onlySqlite(READS_PLANS),
  async () => {
    statements.length = 0;
    await list({});
    const page = statements.find((text) => /order by .?sequence.? desc/.test(text)) ?? "";
    const plan = await explainPlan(till.gateway.context.db, page);
    expect(plan).toHaveLength(1);
    expect(plan[0]).toMatch(/^SCAN webhook_deliveries$/);
    const attempts = statements.find((text) => text.includes("webhook_attempts")) ?? "";
    expect(await explainPlan(till.gateway.context.db, attempts)).toEqual([
      expect.stringMatching(/\(account_id=\? AND environment=\? AND delivery_id=\?\)/),
      expect.any(String),
    ]);
  },
);
