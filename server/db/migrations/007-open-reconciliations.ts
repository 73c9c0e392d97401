import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What waits for an owner's decision is found without looking through years of transactions. */
const STATEMENTS = [
  `create index transactions_to_reconcile
  on transactions (account_id, environment, created_at, transaction_id)
  where needs_reconciliation = 1`,
];

export const migration007: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
