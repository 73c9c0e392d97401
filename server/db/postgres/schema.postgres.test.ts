import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSchema } from "../../gateway/usable-postgres.ts";
import {
  type DescribedSchema,
  describePostgres,
  describeSqlite,
  listTriggers,
  readConditions,
} from "../../testing/described-schema.ts";
import { openEmptyPostgres } from "../../testing/postgres-database.ts";
import { type Db, openScratchDatabase } from "../database.ts";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import { readSchemaText } from "../sqlite/schema-text.ts";

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

describe("the schema in PostgreSQL", () => {
  it("has the tables, columns, keys, references and indexes of the one in SQLite", async () => {
    const sqlite = openScratchDatabase();
    await migrate(sqlite);
    const expected = sorted(await describeSqlite(sqlite as never));
    await sqlite.destroy();
    expect(Object.keys(expected).length).toBeGreaterThan(80);
    expect(sorted(await describePostgres(db as never))).toEqual(expected);
  });

  it("has its triggers", async () => {
    const sqlite = openScratchDatabase();
    await migrate(sqlite);
    const expected = await listTriggers(sqlite as never, "sqlite");
    await sqlite.destroy();
    expect(expected.length).toBeGreaterThan(40);
    expect(await listTriggers(db as never, "postgres")).toEqual(expected);
  });

  it("has at the baseline its checks, conditions of indexes, and what triggers do", async () => {
    const schema = readSchema();
    const known = Object.entries(migrations).filter(([name]) => name <= schema.baseline);
    const atBaseline = { ...schema, migrations: Object.fromEntries(known) };
    const sqlite = openScratchDatabase();
    await migrate(sqlite, atBaseline.migrations);
    const ofSqlite = readConditions(await readSchemaText(sqlite));
    await sqlite.destroy();
    const beginning = await openEmptyPostgres(atBaseline);
    const ofPostgres = readConditions(schema.statements);
    expect(sorted(ofPostgres)).toEqual(sorted(ofSqlite));
    const { rows: checks } = await sql<{ count: number }>`
      select count(*) as count from pg_constraint where contype = 'c'
      and connamespace = 'public'::regnamespace`.execute(beginning);
    const said = Object.entries(ofSqlite).filter(([name]) => name.startsWith("table "));
    expect(checks[0]?.count).toBe(said.flatMap(([, of]) => of).length);
    const { rows: triggers } = await sql<{ name: string }>`
      select tgname as name from pg_trigger where not tgisinternal`.execute(beginning);
    await beginning.destroy();
    const names = Object.keys(ofSqlite).filter((name) => name.startsWith("trigger "));
    expect(triggers.map(({ name }) => `trigger ${name}`).toSorted()).toEqual(names.toSorted());
  });

  it("refuses a name in another case", async () => {
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

  it("gives whole numbers as numbers, and refuses one that would be rounded", async () => {
    const { rows } = await sql`select cast(9007199254740991 as bigint) as most,
      (select sum(n) from (values (1), (2)) v (n)) as total`.execute(db);
    expect(rows).toEqual([{ most: 9007199254740991, total: 3 }]);
    await expect(sql`select cast(9007199254740993 as bigint)`.execute(db)).rejects.toThrow("2^53");
  });
});
