import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openEmptyPostgres } from "../../testing/postgres-database.ts";
import { listStumblingBlocks, type Relied, readRelied } from "../../testing/readable-before.ts";
import type { Db } from "../database.ts";
import { migrations } from "../migrations/index.ts";
import { prepareSchema } from "./create-schema.ts";

const [BASELINE = "", ...LATER] = Object.keys(migrations).toSorted();

/**
 * Migrations before the first release that removed tables or columns, or replaced a unique index
 * (011). All processes of a database are replaced at once by a version with one of them.
 */
const BEFORE_RELEASE: ReadonlySet<string> = new Set([
  "003-settings",
  "004-merged-tables",
  "008-webhook-kinds",
  "011-ledger-legs",
  "014-unused",
]);

function upTo(last: string) {
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= last));
}

let db: Db;
beforeEach(async () => {
  db = await openEmptyPostgres(upTo(BASELINE));
});
afterEach(() => db.destroy());

it("each migration leaves the tables usable for processes of the previous version", async () => {
  let before = await readRelied(db);
  expect(before.columns.size).toBeGreaterThan(500);
  for (const name of LATER) {
    await prepareSchema(db, upTo(name), { at: 0 });
    const after = await readRelied(db);
    const blocks = BEFORE_RELEASE.has(name) ? [] : listStumblingBlocks(before, after);
    expect([name, blocks]).toEqual([name, []]);
    before = after;
  }
});

it.each([
  ["alter table staff drop column failed_attempts", "staff.failed_attempts is gone"],
  ["alter table staff rename column name to called", "staff.name is gone"],
  ["alter table staff alter column name type varchar", "staff.name is character varying"],
  ["alter table staff add column age bigint not null", "staff.age must be written"],
  ["create unique index one_name on staff (role)", "staff: one_name refuses"],
  ["alter table staff add check (name <> 'Bob')", "staff: staff_name_check"],
  [
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
     create trigger never before insert on staff for each row execute function refuse()`,
    "staff: never refuses",
  ],
])("a migration that breaks the previous version is detected: %s", async (statement, block) => {
  const before: Relied = await readRelied(db);
  await sql.raw(statement).execute(db);
  expect(listStumblingBlocks(before, await readRelied(db)).join()).toContain(block);
});
