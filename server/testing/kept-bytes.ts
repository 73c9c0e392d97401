import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { digestDatabase } from "./database-digest.ts";
import { openPlace, type Place } from "./place.ts";

/** All that a thief of the database alone reads: the bytes of its files, or the rows as the server keeps them. */
export async function readKept(place: Place): Promise<string> {
  if (place.database === undefined) {
    return readdirSync(place.dataDir)
      .filter((name) => name.startsWith("tillgate.db"))
      .map((name) => readFileSync(join(place.dataDir, name), "latin1"))
      .join("");
  }
  // It has no key: what is encrypted comes as it lies there.
  const db = await openPlace(place);
  const rows = Object.values(await digestDatabase(db));
  await db.destroy();
  return rows.join("\n");
}
