import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Recharges are few among many purchases: a list of them alone visits no others. */
const STATEMENTS = [
  `create index transactions_recharges
  on transactions (account_id, environment, created_at desc, transaction_id)
  where training = 0 and product_type in ('RECHARGE_SANDBOX', 'RECHARGE_WITH_CREDIT_CARD')`,
];

export const migration039: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
