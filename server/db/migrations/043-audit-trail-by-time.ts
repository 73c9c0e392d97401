import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What was done on one day is found without a walk through all that was done since. */
const STATEMENTS = ["create index audit_trail_by_time on audit_trail (account_id, recorded_at)"];

export const migration043: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
