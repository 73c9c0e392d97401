import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DescribedSchema,
  describePostgres,
  describeSqlite,
  listTriggers,
} from "../../testing/described-schema.ts";
import { openEmptyPostgres } from "../../testing/postgres-database.ts";
import { type Db, openScratchDatabase } from "../database.ts";
import { migrate } from "../migrate.ts";

let db: Db;

beforeAll(async () => {
  db = await openEmptyPostgres();
});
afterAll(() => db.destroy());

function sorted(schema: DescribedSchema): DescribedSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, facts]) => [name, facts.toSorted()]),
  );
}

describe("schema on PostgreSQL", () => {
  it("has the same tables, columns, keys, references and indexes as on SQLite", async () => {
    const sqlite = openScratchDatabase();
    await migrate(sqlite);
    const expected = sorted(await describeSqlite(sqlite as never));
    await sqlite.destroy();
    expect(Object.keys(expected).length).toBeGreaterThan(80);
    expect(sorted(await describePostgres(db as never))).toEqual(expected);
  });

  it("has the same triggers as on SQLite", async () => {
    const sqlite = openScratchDatabase();
    await migrate(sqlite);
    const expected = await listTriggers(sqlite as never, "sqlite");
    await sqlite.destroy();
    expect(expected.length).toBeGreaterThan(20);
    expect(await listTriggers(db as never, "postgres")).toEqual(expected);
  });

  it("has as many check constraints as on SQLite", async () => {
    const sqlite = openScratchDatabase();
    await migrate(sqlite);
    const { rows: tables } = await sql<{ sql: string }>`
      select sql from sqlite_schema where type = 'table'`.execute(sqlite);
    await sqlite.destroy();
    const expected = tables.flatMap((table) => table.sql.match(/\bcheck \(/g) ?? []);
    const { rows: checks } = await sql<{ count: number }>`
      select count(*) as count from pg_constraint where contype = 'c'
      and connamespace = 'public'::regnamespace`.execute(db);
    expect(checks).toEqual([{ count: expected.length }]);
  });

  it("refuses a staff name that differs only in case", async () => {
    await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
      values ('shop', 'USD', 100, 0)`.execute(db);
    const staff = (id: string, name: string) =>
      db
        .insertInto("staff")
        .values({
          account_id: "shop",
          staff_id: id,
          name,
          role: "owner",
          pin_hash: "x",
          active: 1,
          failed_attempts: 0,
          created_at: 0,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
    expect((await staff("a", "Ana")).numInsertedOrUpdatedRows).toBe(1n);
    expect((await staff("b", "ANA")).numInsertedOrUpdatedRows).toBe(0n);
  });

  it("returns integers as numbers, and refuses an integer that would be rounded", async () => {
    const { rows } = await sql`select cast(9007199254740991 as bigint) as most,
      (select sum(n) from (values (1), (2)) v (n)) as total`.execute(db);
    expect(rows).toEqual([{ most: 9007199254740991, total: 3 }]);
    await expect(sql`select cast(9007199254740993 as bigint)`.execute(db)).rejects.toThrow("2^53");
  });
});
