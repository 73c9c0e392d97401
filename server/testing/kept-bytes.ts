import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { digestDatabase } from "./database-digest.ts";
import { openPlace, type Place } from "./place.ts";

/**
 * Returns all data that a thief of the database can read: the bytes of SQLite's files, or
 * PostgreSQL's rows.
 */
export async function readKept(place: Place): Promise<string> {
  if (place.database === undefined) {
    return readdirSync(place.dataDir)
      .filter((name) => name.startsWith("tillgate.db"))
      .map((name) => readFileSync(join(place.dataDir, name), "latin1"))
      .join("");
  }
  const db = await openPlace(place);
  const rows = Object.values(await digestDatabase(db));
  await db.destroy();
  return rows.join("\n");
}
