import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The API key that bought a purchase through `/v1`; null for a sale at a till, and for older purchases. */
export const migration115: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table purchases add column key_id text`.execute(db);
  },
};
