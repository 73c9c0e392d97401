import { readFileSync } from "node:fs";
import { CompiledQuery, type Kysely } from "kysely";

export const SCHEMA_FILE = new URL("schema.sql", import.meta.url);

/** Makes all tables in an empty database, or none. */
export async function createSchema<Tables>(db: Kysely<Tables>): Promise<void> {
  const schema = readFileSync(SCHEMA_FILE, "utf8");
  await db.transaction().execute((tx) => tx.executeQuery(CompiledQuery.raw(schema)));
}
