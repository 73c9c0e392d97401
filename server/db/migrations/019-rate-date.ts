import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Since when the exchange rate is the one it is; until now it was never changed after set-up. */
const STATEMENTS = [
  "alter table shops add column rate_set_at integer",
  "update shops set rate_set_at = created_at",
];

export const migration019: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
