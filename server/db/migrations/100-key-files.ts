import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { tableEnd, whole } from "../migration-words.ts";

/**
 * Which key file the processes on one PostgreSQL have in common, by its id. A database in a file has the key beside
 * it, and this table stays empty there.
 */
export const migration100: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table key_files (
        one ${whole} not null primary key check (one = 1),
        key_id text not null
      ) ${tableEnd}`.execute(db);
  },
};
