import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openDatabase } from "../db/database.ts";
import { databaseFile } from "../db/database-files.ts";
import { migrate } from "../db/migrate.ts";
import { isOnPostgres } from "./only-sqlite.ts";
import { openEmptyPostgres } from "./postgres-database.ts";

let template: Promise<string> | undefined;

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

export async function copyEmptyFile(directory: string): Promise<void> {
  copyFileSync(databaseFile(await makeTemplate()), databaseFile(directory));
}

export async function openEmptyFile(directory: string): Promise<Db> {
  await copyEmptyFile(directory);
  return openDatabase(directory);
}

export async function openEmptyDatabase(): Promise<{ db: Db; remove: () => Promise<void> }> {
  if (isOnPostgres()) return { db: await openEmptyPostgres(), remove: async () => {} };
  const directory = mkdtempSync(join(tmpdir(), "tillgate-empty-"));
  const db = await openEmptyFile(directory);
  return { db, remove: async () => rmSync(directory, { recursive: true }) };
}
