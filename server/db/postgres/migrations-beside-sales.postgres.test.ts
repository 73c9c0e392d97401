import { sql } from "kysely";
import type { PoolClient } from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { createTestDatabase, dropTestDatabase } from "../../testing/postgres-database.ts";
import type { Db } from "../database.ts";
import { migrations } from "../migrations/index.ts";
import { type Migrations, prepareSchema, TablesInUse } from "./create-schema.ts";
import { openPostgresDatabase } from "./open-database.ts";
import { openPool } from "./pool.ts";

/** Changes tables that sales also write, but in a different order. */
const WITH_LATER: Migrations = {
  ...migrations,
  "999-later": {
    async up(db) {
      await sql`alter table transactions add column later integer`.execute(db);
      await sql`alter table sales add column later integer`.execute(db);
      await sql`alter table accounts add column later integer`.execute(db);
    },
  },
};

let address: string;
let db: Db;
/** Connections of other processes, which continue to work. */
let pool: ReturnType<typeof openPool>;
let begun: PoolClient[];
beforeEach(async () => {
  address = await createTestDatabase(inject("firstDay").database);
  db = await openPostgresDatabase(address);
  pool = openPool(address, 3);
  begun = [];
});
afterEach(async () => {
  for (const client of begun) client.release(true);
  await db.destroy();
  await pool.end();
  await dropTestDatabase(address);
});

async function begin(...statements: string[]): Promise<PoolClient> {
  const client = await pool.connect();
  begun.push(client);
  for (const statement of ["begin", ...statements]) await client.query(statement);
  return client;
}

async function end(client: PoolClient): Promise<void> {
  await client.query("commit");
  begun = begun.filter((one) => one !== client);
  client.release();
}

/** Resolves when a connection waits for a table or a row. */
async function untilOneWaits(): Promise<void> {
  const waiting = `select count(*) as waiting from pg_locks
    where not granted and database = (select oid from pg_database where datname = current_database())`;
  const count = async () => (await pool.query<{ waiting: number }>(waiting)).rows[0]?.waiting;
  await expect.poll(count, { interval: 5 }).toBeGreaterThan(0);
}

async function isMigrated(): Promise<boolean> {
  const { rowCount } = await pool.query("select from kysely_migration where name = '999-later'");
  return rowCount === 1;
}

const ACCOUNT = "select account_id from accounts where account_id = 'default' for no key update";

describe("migration while other processes work", () => {
  it("waits for a sale in progress to commit, and makes the next sale wait", async () => {
    const sale = await begin(ACCOUNT, "update sales set created_at = created_at where false");
    const migrated = prepareSchema(db, WITH_LATER, { at: 0, tries: 20 });
    await untilOneWaits();
    await sale.query("update transactions set status = status where false");
    const next = await begin();
    const locked = next.query(ACCOUNT);
    await end(sale);
    await migrated;
    expect((await locked).rowCount).toBe(1);
    await next.query("update sales set later = 1 where false");
    await end(next);
    expect(await isMigrated()).toBe(true);
  });

  it("lets a reader finish, and then runs", async () => {
    const reader = await begin("select count(*) from sales");
    const migrated = prepareSchema(db, WITH_LATER, { at: 0, tries: 20 });
    await untilOneWaits();
    // The reader has read one table, and needs a second one.
    expect((await reader.query("select count(*) from transactions")).rowCount).toBe(1);
    await end(reader);
    await migrated;
    expect(await isMigrated()).toBe(true);
  });

  it("changes nothing if a reader such as pg_dump outlasts all attempts", async () => {
    const dump = await begin("lock table sales in access share mode");
    await expect(prepareSchema(db, WITH_LATER, { at: 0, tries: 2 })).rejects.toThrow(TablesInUse);
    expect((await dump.query("select count(*) from transactions")).rowCount).toBe(1);
    await end(dump);
    expect(await isMigrated()).toBe(false);
    await prepareSchema(db, WITH_LATER, { at: 0 });
    expect(await isMigrated()).toBe(true);
  });
});
