import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Deliveries that were not made are few among those that were: a list of them visits no others. */
const STATEMENTS = [
  `create index webhook_deliveries_undelivered on webhook_deliveries (account_id, state, sequence)
  where state <> 'DELIVERED'`,
];

export const migration042: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
