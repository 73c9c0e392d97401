import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/**
 * Which process runs a job, and until when, by the database's clock. One process has a file for itself and
 * writes neither.
 */
export const migration096: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table jobs add column lease_owner text`.execute(db);
    await sql`alter table jobs add column lease_until ${whole}`.execute(db);
  },
};
