import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/** How long customers' numbers are kept, and up to which end of purchases they were erased already. */
export const migration126: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table accounts add column keep_numbers_days ${whole} not null default 0
      check (keep_numbers_days >= 0)`.execute(db);
    await sql`alter table environment_settings add column numbers_erased_until ${whole} not null default 0`.execute(
      db,
    );
  },
};
