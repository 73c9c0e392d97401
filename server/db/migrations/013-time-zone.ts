import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The shop's day begins at midnight in its own zone, which is the machine's until one is named. */
const STATEMENTS = ["alter table accounts add column time_zone text"];

export const migration013: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
