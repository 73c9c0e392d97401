import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openDatabase } from "../db/database.ts";
import { databaseFile } from "../db/database-files.ts";
import { migrate } from "../db/migrate.ts";
import { isOnPostgres } from "./only-sqlite.ts";
import { openEmptyPostgres } from "./postgres-database.ts";

let template: Promise<string> | undefined;

/** Migrates a database file once per test process. Returns its directory. */
function makeTemplate(): Promise<string> {
  template ??= (async () => {
    const directory = mkdtempSync(join(tmpdir(), "tillgate-empty-"));
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
    const db = openDatabase(directory);
    await migrate(db);
    await db.destroy();
    return directory;
  })();
  return template;
}

/** Copies a migrated database file without rows into the directory. */
export async function copyEmptyFile(directory: string): Promise<void> {
  copyFileSync(databaseFile(await makeTemplate()), databaseFile(directory));
}

/** Opens a migrated database file without rows. */
export async function openEmptyFile(directory: string): Promise<Db> {
  await copyEmptyFile(directory);
  return openDatabase(directory);
}

/** Opens a migrated database without rows, on the engine of the current tests. */
export async function openEmptyDatabase(): Promise<{ db: Db; remove: () => Promise<void> }> {
  if (isOnPostgres()) return { db: await openEmptyPostgres(), remove: async () => {} };
  const directory = mkdtempSync(join(tmpdir(), "tillgate-empty-"));
  const db = await openEmptyFile(directory);
  return { db, remove: async () => rmSync(directory, { recursive: true }) };
}
