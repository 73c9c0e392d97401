import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writerOf } from "../../testing/direct-writes.ts";
import { createTestDatabase, dropTestDatabase } from "../../testing/postgres-database.ts";
import type { Db } from "../database.ts";
import { openPostgresDatabase } from "./open-database.ts";
import { StatementNames } from "./statement-names.ts";

let address: string;
let db: Db;
let writer: Db;

beforeEach(async () => {
  address = await createTestDatabase();
  db = await openPostgresDatabase(address);
  writer = writerOf(db);
  await sql`create table notes (note text primary key, count integer not null)`.execute(writer);
});
afterEach(async () => {
  await db.destroy();
  await dropTestDatabase(address);
});

async function listPrepared(): Promise<string[]> {
  const { rows } = await sql<{
    statement: string;
  }>`select statement from pg_prepared_statements order by prepare_time`.execute(writer);
  return rows.map(({ statement }) => statement);
}

const add = (note: string) => sql`insert into notes values (${note}, ${note.length})`;
const every = (note: string) => sql`select * from notes where note = ${note}`;
const count = (note: string) => sql`select count(*) as many from notes where note = ${note}`;

describe("statements on PostgreSQL", () => {
  it("a connection prepares each statement once, except statements without values or with `*`", async () => {
    for (const note of ["a", "bb", "ccc"]) {
      await add(note).execute(writer);
      await every(note).execute(writer);
      expect((await count(note).execute(writer)).rows).toEqual([{ many: 1 }]);
    }
    expect(await listPrepared()).toEqual([
      "insert into notes values ($1, $2)",
      "select count(*) as many from notes where note = $1",
    ]);
  });

  it("work after another version adds a column, and stay prepared after a failed transaction", async () => {
    const renamed = (from: string, to: string) =>
      sql`update notes set note = ${to} where note = ${from} returning note, count`;
    const all = async () => {
      await every("a").execute(writer);
      await count("a").execute(writer);
      return (await renamed("a", "a").execute(writer)).rows;
    };
    await add("a").execute(writer);
    for (let n = 0; n < 2; n++) expect(await all()).toEqual([{ note: "a", count: 1 }]);
    await sql`alter table notes add column flag bigint not null default 0`.execute(db);
    expect(await all()).toEqual([{ note: "a", count: 1 }]);
    expect((await every("a").execute(writer)).rows).toEqual([{ note: "a", count: 1, flag: 0 }]);

    const taken = add("a");
    const failed = writer.transaction().execute((tx) => taken.execute(tx));
    await expect(failed).rejects.toMatchObject({ code: "23505" });
    await sql`alter table notes drop constraint notes_pkey`.execute(db);
    await taken.execute(writer);
    expect(await all()).toHaveLength(2);
  });
});

/** Returns the name of a statement at its second run. */
function nameOf(statement: string, values: readonly unknown[], names = new StatementNames()) {
  names.for(statement, values);
  return names.for(statement, values);
}

describe("StatementNames", () => {
  it("names a limited number of statements, each at its second run, and never changes a name", () => {
    const names = new StatementNames();
    expect(names.for("select 0 + $1", [1])).toEqual({});
    const first = nameOf("select 0 + $1", [1], names);
    for (let n = 1; n < 1_000; n++) nameOf(`select ${n} + $1`, [1], names);
    expect(names.for("select 0 + $1", [2])).toEqual(first);
    expect(nameOf("select 1000 + $1", [1], names)).toEqual({});
  });

  it("gives no name to a statement that runs only once", () => {
    const names = new StatementNames();
    for (let n = 0; n < 10_000; n++) names.for(`select ${n} + $1`, [1]);
    expect(nameOf("select a from t where a = $1", [1], names)).toHaveProperty("name");
  });

  it("gives a statement the same name in every process, and different statements different names", () => {
    const one = nameOf("select 1 + $1", [1]);
    expect(nameOf("select 1 + $1", [2])).toEqual(one);
    expect(nameOf("select 2 + $1", [1])).not.toEqual(one);
  });

  it.each([
    "select * from t where a = $1",
    'select "t".*, b from t where a = $1',
    "select b, * from t where a = $1",
    "insert into t values ($1) returning *",
    "with x as (select * from t where a = $1) select b from x",
  ])("does not name %s", (statement) => {
    expect(nameOf(statement, [1])).toEqual({});
  });

  it.each(["select 2 * $1", "select count(*) from t where a = $1", "select a, b * $1 from t"])(
    "names %s with values, but not without values or with a long list of values",
    (statement) => {
      expect(nameOf(statement, [1])).toHaveProperty("name");
      expect(nameOf(statement, [])).toEqual({});
      expect(nameOf(statement, Array.from({ length: 100 }))).toEqual({});
    },
  );
});
