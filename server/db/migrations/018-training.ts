import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const TRAINING = "training integer not null default 0 check (training in (0, 1))";

/**
 * What is sold in training is marked, and the lists of `/v1` and their exact totals are read from
 * indexes that leave it out.
 */
const STATEMENTS = [
  `alter table transactions add column ${TRAINING}`,
  `alter table sales add column ${TRAINING}`,
  `alter table held_sales add column ${TRAINING}`,
  ...[
    ["transactions_newest", "created_at desc, transaction_id"],
    ["transactions_by_product", "product_type, created_at desc, transaction_id"],
    ["transactions_by_status", "status, created_at desc, transaction_id"],
    ["transactions_by_type", "type, created_at desc, transaction_id"],
  ].flatMap(([name, columns]) => [
    `drop index ${name}`,
    `create index ${name}
  on transactions (account_id, environment, ${columns})
  where training = 0`,
  ]),
];

export const migration018: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
