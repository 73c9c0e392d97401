import { type Db, openDatabase } from "../db/database.ts";
import { openPostgresDatabase } from "../db/postgres/open-database.ts";

export interface Place {
  readonly dataDir: string;
  /** Address of the PostgreSQL database; undefined for an SQLite file in the directory. */
  readonly database?: string | undefined;
}

/** Opens the database as another process would, beside a running gateway. */
export async function openPlace({ dataDir, database }: Place): Promise<Db> {
  return database === undefined ? openDatabase(dataDir) : openPostgresDatabase(database);
}
