import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The kinds of alerts that there were when recipients were saved: later kinds are mailed to them too. */
export const migration117: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table alert_mail add column known_kinds_json text`.execute(db);
  },
};
