import { sql } from "kysely";
import { openScratchDatabase } from "../database.ts";
import type { Db } from "../handles.ts";
import { migrate } from "../migrate.ts";
import { EARLIER_LINES } from "../migrations/002-returned-lines.ts";
import { migrations } from "../migrations/index.ts";

type Schema = ReadonlyMap<string, string>;

/** Tables that SQLite adds when it analyzes a file. They change no results. */
const STATISTICS: Schema = new Map(
  [
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
  ].map((text) => [`the table ${/sqlite_stat\d/.exec(text)?.[0]}`, text]),
);

const expected = new Map<string, Promise<Schema>>();

/**
 * Compares all tables, views, indexes and triggers of a database file with those that
 * its migrations create. A trigger that was added to a copy could change permissions or
 * money when the copy is used.
 * @returns a text for each difference, for users
 */
export async function findSchemaDifferences(db: Db): Promise<string[]> {
  const applied = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db);
  const names = applied.rows.map(({ name }) => name);
  const found = await readSchema(db);
  const wanted = await expectSchema(names, found.has("the index sale_lines_owed"));
  const isKnown = ([name, text]: [string, string]) => STATISTICS.get(name) === text;
  const added = [...found].filter((entry) => !wanted.has(entry[0]) && !isKnown(entry));
  const missing = [...wanted.keys()].filter((name) => !found.has(name));
  const changed = [...wanted].filter(([name, text]) => found.has(name) && found.get(name) !== text);
  return [
    ...added.map(([name]) => `${name} was added: Tillgate has none of that name`),
    ...missing.map((name) => `${name} is missing`),
    ...changed.map(([name]) => `${name} was changed`),
  ];
}

/**
 * Returns the schema that migrations create. Each schema is created once per thread, because
 * migrating an empty database takes about a third of a second.
 */
function expectSchema(applied: readonly string[], hasOwedLines: boolean): Promise<Schema> {
  const isFirst = hasOwedLines && !applied.includes("002-returned-lines");
  const key = [...applied, isFirst].join(" ");
  const known = expected.get(key);
  if (known) return known;
  const made = makeSchema(applied, isFirst);
  expected.set(key, made);
  return made;
}

/** @param isFirst whether `sale_lines` has its first form, which `002-returned-lines` changes */
async function makeSchema(applied: readonly string[], isFirst: boolean): Promise<Schema> {
  const db = openScratchDatabase();
  try {
    const known = new Set(applied);
    await migrate(
      db,
      Object.fromEntries(Object.entries(migrations).filter(([name]) => known.has(name))),
    );
    if (isFirst) for (const statement of EARLIER_LINES) await statement.execute(db);
    return await readSchema(db);
  } finally {
    await db.destroy();
  }
}

async function readSchema(db: Db): Promise<Schema> {
  const { rows } = await sql<{ type: string; name: string; tbl_name: string; sql: string | null }>`
    select type, name, tbl_name, sql from sqlite_schema`.execute(db);
  return new Map(
    rows.map(({ type, name, tbl_name, sql: text }) => [
      `the ${type} ${name}`,
      text === null ? `on ${tbl_name}` : text.replaceAll(/\s+/g, " "),
    ]),
  );
}
