import { Migrator } from "kysely/migration";
import type { Db } from "./database.ts";
import { migrations } from "./migrations/index.ts";

/**
 * Brings the schema up to date, all or nothing.
 * @throws the first migration's error; the database is then as it was.
 */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error instanceof Error) throw error;
  if (error !== undefined) throw new Error("a migration failed", { cause: error });
}
