import { type Db, openDatabase } from "../db/database.ts";
import { openPostgresDatabase } from "../db/postgres/open-database.ts";

/** Where the data of a shop are. */
export interface Place {
  readonly dataDir: string;
  /** The address of its PostgreSQL; undefined where its database is a file in the directory. */
  readonly database?: string | undefined;
}

/** Opens the database as another process does that runs beside the gateway. */
export async function openPlace({ dataDir, database }: Place): Promise<Db> {
  return database === undefined ? openDatabase(dataDir) : openPostgresDatabase(database);
}
