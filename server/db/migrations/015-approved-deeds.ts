import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What an approval was given for. One from before says nothing, and is good for nothing. */
const STATEMENTS = ["alter table approvals add column deed text not null default ''"];

export const migration015: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
