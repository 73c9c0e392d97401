import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Db } from "../../../db/database.ts";
import { openPool } from "../../../db/postgres/pool.ts";
import type { Tables } from "../../../db/tables.ts";
import { DAY, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
} from "../../../testing/test-gateway.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

let till: TestGateway;
let receiver: Receiver;
let db: Db;
let pool: ReturnType<typeof openPool>;
/**
 * Sorts after "default": a process that locks all accounts holds "default" while it waits for this
 * account.
 */
const OTHER = "other";

beforeEach(async () => {
  till = await startTestGateway();
  receiver = await startReceiver(till);
  ({ db } = till.gateway.context);
  pool = openPool(till.database!, 2);
  await till.gateway.context.webhooks.add(
    { accountId: "default", staffId: undefined },
    { environment: "test", kind: "TOPUP", url: `${receiver.url}/hook`, allowPrivate: true },
  );
  await begin("old");
  await till.advance(SECOND);
  await copyShop(writerOf(db));
});
afterEach(async () => {
  await pool.end();
  await till.close();
  await receiver.close();
});

function begin(transactionId: string) {
  const recipientPhoneNumber = "+50251234567";
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber };
  return till.v1("POST", "/topups/purchases", body);
}

/** Copies the rows that a webhook delivery needs to another account. */
async function copyShop(writer: Kysely<Tables>): Promise<void> {
  await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
    values (${OTHER}, 'USD', 100, 0)`.execute(writer);
  for (const table of ["transactions", "webhook_endpoints", "webhook_deliveries"]) {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_name = ${table} and column_name not in ('account_id', 'sequence')
        and is_generated = 'NEVER' and is_identity = 'NO'`.execute(writer);
    const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (account_id, ${columns})
      select ${OTHER}, ${columns} from ${sql.table(table)}`.execute(writer);
  }
}

async function listDelivered(): Promise<string[]> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .select(["account_id", "subject"])
    .orderBy("sequence")
    .execute();
  return rows.map((row) => `${row.account_id} ${row.subject}`);
}

async function listWaiting(): Promise<string[]> {
  const { rows } = await pool.query<{ query: string }>(
    `select query from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.map(({ query }) => query);
}

it("a shop can sell while the purge waits for another shop's account", async () => {
  const holder = await pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select 1 from accounts where account_id = $1 for no key update", [OTHER]);
    // The jump of the clock starts the daily purge.
    till.clock.set(till.clock.now() + 91 * DAY);
    await expect.poll(listWaiting).toEqual([expect.stringContaining('from "accounts"')]);
    expect((await begin("new")).status).toBeLessThan(300);
    expect(await listDelivered()).toContain(`${OTHER} old`);
    await holder.query("rollback");
    await expect.poll(listDelivered).not.toContain(`${OTHER} old`);
    expect(await listDelivered()).not.toContain("default old");
  } finally {
    holder.release(true);
  }
});

it("only one process purges at a time, and another process purges after the first has ended", async () => {
  const second = await startGatewayBeside(till);
  const { memory } = till.gateway.context;
  const at = () => memory.read("housekeeping", "turn");
  try {
    await expect.poll(at).toBeUndefined();
    // The turn is held for longer than the clock advances, so each daily purge is skipped.
    await memory.change("housekeeping", "turn", () => ({ owner: "another place" }), 92 * DAY);
    till.clock.set(till.clock.now() + 91 * DAY);
    for (const { gateway } of [till, second]) gateway.context.housekeeping.start();
    for (const { gateway } of [till, second]) await gateway.context.housekeeping.stop();
    expect(await listDelivered()).toEqual(["default old", `${OTHER} old`]);
  } finally {
    await second.close();
  }
});
