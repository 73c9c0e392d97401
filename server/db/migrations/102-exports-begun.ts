import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { tableEnd, whole } from "../migration-words.ts";

/**
 * How often an export of the shop has had a database on PostgreSQL for itself: a process that had lost its connections
 * meanwhile does not sell on there. Beside a database in a file nothing is counted.
 */
export const migration102: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table exports_begun (
        one ${whole} not null primary key check (one = 1),
        number ${whole} not null
      ) ${tableEnd}`.execute(db);
  },
};
