import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * PINs and codes by when they were delivered, shop by shop: each keeps them as long as its owner says,
 * and what is not due is not walked through.
 */
const STATEMENTS = [
  "drop index purchases_slips",
  `create index purchases_slips on purchases (slip_state, account_id, slip_at)
    where slip_state is not null`,
];

export const migration034: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
