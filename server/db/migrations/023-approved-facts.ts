import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What somebody was shown who approved: the facts of the request, as they are in the audit trail. */
export const migration023: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw("alter table approvals add column facts_json text not null default '{}'")
      .execute(db);
  },
};
