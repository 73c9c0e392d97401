import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Up to which number stored numbers of old forms were rewritten (rules#topup-canonical-number), in the order of
 * the database; null once all were, and for a shop of this version.
 */
export const migration127: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table environment_settings add column numbers_rewritten_until text`.execute(db);
    await sql`update environment_settings set numbers_rewritten_until = ''`.execute(db);
  },
};
