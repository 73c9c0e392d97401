import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, openDatabase } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { isOnPostgres } from "./only-sqlite.ts";
import { openEmptyPostgres } from "./postgres-database.ts";

/** A database with its tables and nothing in them, on the engine that the tests at hand are run on. */
export async function openEmptyDatabase(): Promise<{ db: Db; remove: () => Promise<void> }> {
  if (isOnPostgres()) return { db: await openEmptyPostgres(), remove: async () => {} };
  const directory = mkdtempSync(join(tmpdir(), "tillgate-empty-"));
  const db = openDatabase(directory);
  await migrate(db);
  return { db, remove: async () => rmSync(directory, { recursive: true }) };
}
