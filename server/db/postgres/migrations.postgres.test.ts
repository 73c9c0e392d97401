import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { openUsablePostgres } from "../../gateway/usable-postgres.ts";
import { systemClock } from "../../lib/clock.ts";
import { describePostgres, describeSqlite } from "../../testing/described-schema.ts";
import { createTestDatabase, dropTestDatabase } from "../../testing/postgres-database.ts";
import {
  fillSeparateTables,
  MERGED_CONTENT,
  readMergedTables,
} from "../../testing/separate-tables.ts";
import { type Db, openScratchDatabase } from "../database.ts";
import { migrate } from "../migrate.ts";
import {
  addTrigger,
  bytes,
  fraction,
  makeAppendOnly,
  numberedKey,
  renewChecksumsOf,
  tableEnd,
  whole,
} from "../migration-words.ts";
import { migrations } from "../migrations/index.ts";
import { WriteHealth } from "../write-health.ts";
import type { Migrations } from "./create-schema.ts";

/**
 * A migration after all existing migrations, with every kind of statement. Both engines run the
 * same text.
 */
const LATER: Migration = {
  async up(db) {
    await sql`create table notes (
      note_id ${numberedKey},
      account_id text not null references accounts,
      amount ${whole} not null check (amount >= 0),
      weight ${fraction},
      picture ${bytes}
    ) ${tableEnd}`.execute(db);
    await sql`create table note_sums (
      account_id text not null primary key references accounts,
      total ${whole} not null
    ) ${tableEnd}`.execute(db);
    await sql`create index notes_large on notes (account_id, amount) where amount > 100`.execute(
      db,
    );
    await sql`alter table favourites add column stars ${whole} not null default 0
      check (stars between 0 and 5)`.execute(db);
    await sql`update favourites set stars = 3 where name = 'Ana'`.execute(db);
    await makeAppendOnly(db, "notes");
    await addTrigger(db, {
      name: "notes_summed",
      event: "after insert",
      table: "notes",
      condition: "new.amount > 0",
      body: `insert into note_sums (account_id, total) values (new.account_id, new.amount)
        on conflict (account_id) do update set total = note_sums.total + excluded.total;`,
    });
    await renewChecksumsOf(db, "environment_settings", [
      "account_id",
      "environment",
      "queue_enabled",
    ]);
  },
};

const WITH_LATER: Migrations = { ...migrations, "999-later": LATER };

let address: string;
const opened: Db[] = [];

beforeEach(async () => {
  // A database of this version after a shop's first day.
  address = await createTestDatabase(inject("firstDay").database);
});
afterEach(async () => {
  for (const db of opened.splice(0)) await db.destroy();
  await dropTestDatabase(address);
});

async function open(known: Migrations | undefined): Promise<Db> {
  const { db } = await openUsablePostgres(address, {
    dataDir: "/nowhere",
    clock: systemClock,
    health: new WriteHealth(systemClock),
    isGateway: false,
    version: "2.0.0",
    ...(known && { migrations: known }),
  });
  opened.push(db);
  return db;
}

async function keepFavourite(db: Db): Promise<void> {
  await db
    .insertInto("favourites")
    .values({
      account_id: "default",
      environment: "test",
      number: "+50251234567",
      name: "Ana",
      created_at: 1,
    })
    .execute();
}

const favourites = (db: Db) => sql`select name, stars from favourites`.execute(db);
const versions = (db: Db) =>
  sql`select kind, version from program_versions where kind = 'MIGRATED'`.execute(db);

/** Uses the new tables of the migration, in either engine. */
async function useNotes(db: Db) {
  for (const amount of [5, 0, 7]) {
    await sql`insert into notes (account_id, amount, weight, picture)
      values ('default', ${amount}, 0.5, ${Buffer.from([1])})`.execute(db);
  }
  await expect(sql`update notes set amount = 1`.execute(db)).rejects.toThrow("append-only");
  await expect(sql`delete from notes`.execute(db)).rejects.toThrow("notes is append-only");
  await expect(
    sql`insert into notes (account_id, amount) values ('default', -1)`.execute(db),
  ).rejects.toThrow(/check/i);
  const { rows: notes } = await sql`select * from notes order by note_id`.execute(db);
  const { rows: sums } = await sql`select * from note_sums`.execute(db);
  return { notes, sums };
}

describe("database of the previous version on PostgreSQL", () => {
  it("keeps its content when it is migrated, and records the migration", async () => {
    await keepFavourite(await open(undefined));
    const db = await open(WITH_LATER);
    expect((await favourites(db)).rows).toEqual([{ name: "Ana", stars: 3 }]);
    expect((await versions(db)).rows).toEqual([{ kind: "MIGRATED", version: "2.0.0" }]);
    const again = await open(WITH_LATER);
    expect((await versions(again)).rows).toHaveLength(1);
    await expect(open(undefined)).rejects.toThrow("made by a newer Tillgate (999-later)");
  });

  it("migrates only once if two processes start at the same time", async () => {
    const both = await Promise.all([open(WITH_LATER), open(WITH_LATER)]);
    for (const db of both) expect((await versions(db)).rows).toHaveLength(1);
  });

  it("remains unchanged if a migration fails", async () => {
    await keepFavourite(await open(undefined));
    const failing: Migration = {
      async up(db) {
        await LATER.up(db);
        await sql`insert into notes (account_id, amount) values ('nobody', 1)`.execute(db);
      },
    };
    await expect(open({ ...migrations, "999-later": failing })).rejects.toThrow(
      /could not be brought up to date: .*foreign key.* It is as it was\. Start the version/,
    );
    const db = await open(undefined);
    expect((await sql`select * from favourites`.execute(db)).rows).toEqual([
      {
        account_id: "default",
        environment: "test",
        number: "+50251234567",
        name: "Ana",
        created_at: 1,
      },
    ]);
  });

  it("causes an error with advice if it is from before the baseline", async () => {
    const db = await open(undefined);
    await sql`update kysely_migration set name = '001-foundation'
    where name = '001-baseline'`.execute(db);
    await expect(open(WITH_LATER)).rejects.toThrow(
      /made by an older Tillgate.*Nothing was changed\. .*tillgate export, then tillgate import/,
    );
  });
});

describe("database with separate tables of settings on PostgreSQL", () => {
  it("keeps every setting, logo, catalog file and report when it is migrated", async () => {
    const { "001-baseline": first, "002-returned-lines": second } = migrations;
    address = await createTestDatabase();
    const earlier = await open({ "001-baseline": first!, "002-returned-lines": second! });
    await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
      values ('default', 'USD', 100, 0)`.execute(earlier);
    await fillSeparateTables(earlier);
    expect(await readMergedTables(await open(undefined))).toEqual(MERGED_CONTENT);
  });
});

describe("migration after the baseline", () => {
  it("creates the same tables in both engines, in new and existing databases", async () => {
    const sqlite = openScratchDatabase();
    await migrate(sqlite, { ...WITH_LATER });
    const expected = await describeSqlite(sqlite as never);
    expect(expected.notes?.length).toBeGreaterThan(6);
    const sorted = (schema: typeof expected) =>
      Object.fromEntries(
        Object.entries(schema).map(([name, facts]) => [name, facts.toSorted()] as const),
      );
    const before = await open(WITH_LATER);
    expect(sorted(await describePostgres(before as never))).toEqual(sorted(expected));
    const dated = await useNotes(before);
    address = await createTestDatabase();
    const fresh = await open(WITH_LATER);
    expect(sorted(await describePostgres(fresh as never))).toEqual(sorted(expected));
    expect((await versions(fresh)).rows).toEqual([]);

    await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
      values ('default', 'USD', 100, 0)`.execute(sqlite);
    const inSqlite = await useNotes(sqlite);
    expect(dated).toEqual(inSqlite);
    expect(inSqlite.sums).toEqual([{ account_id: "default", total: 12 }]);
    expect(inSqlite.notes).toHaveLength(3);
    const triggers = sql<{ name: string }>`
      select name from sqlite_schema where type = 'trigger' order by name`;
    const { rows: ofSqlite } = await triggers.execute(sqlite);
    const { rows: ofPostgres } = await sql<{ name: string }>`
      select tgname as name from pg_trigger where not tgisinternal order by 1`.execute(fresh);
    expect(ofPostgres).toEqual(ofSqlite);
    await sqlite.destroy();
  });
});
