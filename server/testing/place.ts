import { type Db, openDatabase } from "../db/database.ts";
import { openPostgresDatabase } from "../db/postgres/open-database.ts";

/** Location of a shop's data. */
export interface Place {
  readonly dataDir: string;
  /** Address of its PostgreSQL database; undefined for a file in the directory. */
  readonly database?: string | undefined;
}

/** Opens the database like another process beside the gateway. */
export async function openPlace({ dataDir, database }: Place): Promise<Db> {
  return database === undefined ? openDatabase(dataDir) : openPostgresDatabase(database);
}
