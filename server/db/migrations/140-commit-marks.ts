import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { tableEnd, whole } from "../migration-words.ts";

/**
 * How far each connection that writes to a PostgreSQL has come, and which server and database this is: processes compare
 * both with what they know, and so recognise a database that was restored. Both stay empty in a file.
 */
export const migration140: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table commit_marks (
        mark_id text not null primary key,
        commits ${whole} not null,
        committed_at ${whole} not null
      ) ${tableEnd}`.execute(db);
    await sql`
      create table database_identity (
        one ${whole} not null primary key check (one = 1),
        identity text not null
      ) ${tableEnd}`.execute(db);
  },
};
