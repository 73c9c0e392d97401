import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

let till: TestGateway;
let receiver: Receiver;
beforeEach(async () => {
  till = await startTestGateway();
  receiver = await startReceiver(till);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
  await receiver.close();
});

async function skip(days: number): Promise<void> {
  till.clock.set(till.clock.now() + days * DAY);
  await till.settle();
  await till.gateway.context.housekeeping.clearAway();
}

async function buy(transactionId: string): Promise<void> {
  const recipientPhoneNumber = "+50251234567";
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber };
  await till.v1("POST", "/topups/purchases", body);
  await till.advance(SECOND);
}

async function listDelivered(): Promise<string[]> {
  const query = { _limit: 100, _offset: 0 };
  const { list } = await till.gateway.context.webhooks.listDeliveries("default", query);
  return list.map(({ subject }) => subject);
}

it("webhook deliveries are stored for 90 days with their attempts, and pending deliveries without limit", async () => {
  const { webhooks, db } = till.gateway.context;
  const url = `${receiver.url}/hook`;
  await webhooks.add(
    { accountId: "default", staffId: undefined },
    { environment: "test", kind: "TOPUP", url, allowPrivate: true },
  );
  await buy("old");
  await buy("waits");
  await writerOf(db)
    .updateTable("webhook_deliveries")
    .set({ state: "PENDING" })
    .where("subject", "=", "waits")
    .execute();
  await skip(45);
  await buy("new");
  await skip(44);
  expect(await listDelivered()).toEqual(["new", "waits", "old"]);
  await skip(2);
  expect(await listDelivered()).toEqual(["new", "waits"]);
  const attempts = await db.selectFrom("webhook_attempts").select("delivery_id").execute();
  expect(attempts).toHaveLength(2);
  // Sales are never purged.
  expect((await till.v1("GET", "/transactions/old")).status).toBe(200);
});

it("report files are stored for 90 days, and the report itself stays listed", async () => {
  const now = till.clock.now();
  const period = { startGte: toTimestamp(now - DAY), endLt: toTimestamp(now + DAY) };
  const { reportId } = (await till.v1("POST", "/reports/transactions", period)).body;
  await till.settle();
  const path = `/reports/transactions/${reportId}`;
  const { file } = (await till.v1("GET", path)).body;
  const onDisk = join(till.dataDir, "reports", file.name);
  await skip(89);
  expect(existsSync(onDisk)).toBe(true);
  await skip(2);
  expect(readdirSync(join(till.dataDir, "reports"))).toEqual([]);
  expect((await till.v1("GET", path)).body).toMatchObject({ status: "Ready", file });
  const gone = await till.v1("GET", `${path}/${file.name}`);
  expect([gone.status, gone.body.message]).toEqual([
    404,
    "The file is not kept any more. Request the report again.",
  ]);
});

it("events for tills are stored for a week, regardless of their number", async () => {
  const { db, housekeeping } = till.gateway.context;
  const at = till.clock.now() - 7 * DAY;
  await sql`insert into changes (account_id, environment, topic, subject, changed_at)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 4500)
    select 'default', 'test', 'shop', case n % 10 when 0 then 'kept' else 'old' end,
      cast(${at} as bigint) - case n % 10 when 0 then 0 else 1 end
    from numbers`.execute(writerOf(db));
  await housekeeping.clearAway();
  const rows = await db
    .selectFrom("changes")
    .select("subject")
    .where("topic", "=", "shop")
    .execute();
  expect(rows.filter(({ subject }) => subject === "old")).toEqual([]);
  expect(rows.filter(({ subject }) => subject === "kept")).toHaveLength(450);
});

it("the purge runs automatically each day and at each start", async () => {
  const { db } = till.gateway.context;
  const old = { account_id: "default", environment: "test", topic: "shop", subject: "" } as const;
  const changed_at = till.clock.now() - 7 * DAY + 1;
  const ids = async () => (await db.selectFrom("changes").select("change_id").execute()).length;
  const before = await ids();
  await writerOf(db)
    .insertInto("changes")
    .values({ ...old, changed_at })
    .execute();
  await till.advance(DAY);
  await expect.poll(ids).toBe(before);
  await writerOf(db)
    .insertInto("changes")
    .values({ ...old, changed_at })
    .execute();
  await till.restart();
  const again = till.gateway.context.db;
  await expect
    .poll(async () => (await again.selectFrom("changes").select("change_id").execute()).length)
    .toBe(before);
});
