import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { type Db, openDatabase } from "../db/database.ts";
import { databaseFile } from "../db/database-files.ts";
import { migrate } from "../db/migrate.ts";
import { RENAMED_COLUMNS, RENAMED_TABLES } from "../db/migrations/040-plain-names.ts";
import { migrations } from "../db/migrations/index.ts";
import { writerOf } from "./direct-writes.ts";

/**
 * Puts a database of an older version in the place of a data directory's own, which nobody may have
 * open: with its rows, as far as that version had the tables and columns.
 * @param last the last migration that version had
 */
export async function makeOlder(dataDir: string, last: string): Promise<void> {
  const known = Object.entries(migrations).filter(([name]) => name <= last);
  const older = join(dataDir, "older");
  mkdirSync(older);
  const db = openDatabase(older);
  await migrate(db, Object.fromEntries(known));
  await sql`pragma foreign_keys = off`.execute(writerOf(db));
  await sql`attach database ${databaseFile(dataDir)} as newer`.execute(db);
  for (const table of await tablesOf(db)) {
    const now = RENAMED_TABLES.get(table) ?? table;
    const columns = await commonColumns(db, table, now);
    const list = sql.join(columns.map((name) => sql.ref(name)));
    const nowList = sql.join(columns.map((name) => sql.ref(nowOf(name))));
    await sql`delete from main.${sql.raw(table)}`.execute(writerOf(db));
    await sql`insert into main.${sql.raw(table)} (${list})
      select ${nowList} from newer.${sql.raw(now)}`.execute(writerOf(db));
  }
  await sql`detach database newer`.execute(db);
  await db.destroy();
  for (const suffix of ["-wal", "-shm", "-commits"]) {
    rmSync(databaseFile(dataDir) + suffix, { force: true });
  }
  renameSync(databaseFile(older), databaseFile(dataDir));
  rmSync(older, { recursive: true });
}

/** A copy of a data directory that nobody has open, in the place of another. */
export function copyDataDir(source: string, target: string): void {
  rmSync(target, { recursive: true, force: true });
  cpSync(source, target, { recursive: true });
}

/** The tables that hold a shop's own data. */
export async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from main.sqlite_schema
    where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}

async function commonColumns(db: Db, table: string, now: string): Promise<string[]> {
  const columnsIn = async (name: string, schema: "main" | "newer") => {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_info(${name}, ${schema})`.execute(db);
    return rows.map((row) => row.name);
  };
  const newer = new Set(await columnsIn(now, "newer"));
  return (await columnsIn(table, "main")).filter((name) => newer.has(nowOf(name)));
}

/** What a column of an older version is called today. */
function nowOf(column: string): string {
  return RENAMED_COLUMNS.get(column) ?? column;
}
