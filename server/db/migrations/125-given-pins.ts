import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/** When another person gave somebody their PIN, which they replace at their next sign-in. */
export const migration125: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table staff add column pin_given_at ${whole}`.execute(db);
  },
};
