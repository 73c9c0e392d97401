import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/** The signing secret that was replaced: deliveries are signed with it too until the time beside it. */
export const migration116: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table webhook_endpoints add column old_secret_sealed text`.execute(db);
    await sql`alter table webhook_endpoints add column old_secret_until ${whole}`.execute(db);
  },
};
