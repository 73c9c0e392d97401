import { type Db, openDatabaseFile } from "./database.ts";
import { databaseFile } from "./database-files.ts";

/**
 * Returns the place of a shop's database as a text: the path of a file, or the address of a
 * PostgreSQL.
 */
export function placeOfDatabase(config: {
  dataDir: string;
  database?: string | undefined;
}): string {
  return config.database ?? databaseFile(config.dataDir);
}

/**
 * Opens a database that may be in use, to read from: on any thread.
 * @param place as `placeOfDatabase` names it
 */
export async function openToRead(place: string): Promise<Db> {
  if (!/^postgres(?:ql)?:/i.test(place)) return openDatabaseFile(place, "read");
  const { openPostgresDatabase } = await import("./postgres/open-database.ts");
  return openPostgresDatabase(place, { readers: 1 });
}
