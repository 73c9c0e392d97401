import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What is unfinished, shop by shop: without the shop in front SQLite walks through all that a shop
 * ever sold to find the little that is open.
 */
const STATEMENTS = [
  "drop index transactions_unfinished",
  `create index transactions_unfinished
  on transactions (account_id, environment, created_at, transaction_id)
  where finished_at is null`,
];

export const migration016: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
