import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Taking a brand out of a catalog looks for offers of it. */
const STATEMENTS = ["create index offers_by_brand on offers (account_id, environment, brand)"];

export const migration003: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
