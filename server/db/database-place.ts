import { type Db, openDatabaseFile } from "./database.ts";
import { databaseFile } from "./database-files.ts";

/**
 * Returns the location of a shop's database: the path of a file, or the address
 * of a PostgreSQL database.
 */
export function placeOfDatabase(config: {
  dataDir: string;
  database?: string | undefined;
}): string {
  return config.database ?? databaseFile(config.dataDir);
}

/**
 * Opens a database for reading, on any thread. Other processes may use it at the same time.
 * @param place a result of `placeOfDatabase`
 */
export async function openToRead(place: string): Promise<Db> {
  if (!/^postgres(?:ql)?:/i.test(place)) return openDatabaseFile(place, "read");
  const { openPostgresDatabase } = await import("./postgres/open-database.ts");
  return openPostgresDatabase(place, { readers: 1 });
}
