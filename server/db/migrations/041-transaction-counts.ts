import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Widths of a period, as powers of two of milliseconds: 70 minutes, 3 days, 199 days. */
const WIDTHS = [22, 28, 34];

/** Adds the new row, in each width, to those that finished in its period. */
const COUNT_NEW = `insert into transaction_counts
    (account_id, environment, width, product_type, status, type, period, finished)
  values ${WIDTHS.map(
    (width) => `
    (new.account_id, new.environment, ${width}, new.product_type, new.status, new.type,
      new.created_at >> ${width}, 1)`,
  ).join(",")}
  on conflict (account_id, environment, width, product_type, status, type, period)
    do update set finished = finished + 1`;

/**
 * How many transactions of a kind were made in a period and have finished, without training: kept by
 * the transaction that finishes one, so that nobody counts all that a shop ever sold.
 */
const STATEMENTS = [
  `create table transaction_counts (
  account_id text not null references accounts,
  environment text not null check (environment in ('test', 'live')),
  width integer not null,
  product_type text not null,
  status text not null check (status in ('DONE', 'FAILED')),
  type text not null check (type in ('DEBIT', 'CREDIT')),
  period integer not null,
  finished integer not null check (finished > 0),
  primary key (account_id, environment, width, product_type, status, type, period)
) strict, without rowid`,

  ...WIDTHS.map(
    (width) => `insert into transaction_counts
  select account_id, environment, ${width}, product_type, status, type, created_at >> ${width},
    count(*) from transactions where finished_at is not null and training = 0
  group by account_id, environment, product_type, status, type, created_at >> ${width}`,
  ),

  `create trigger transactions_counted_finish after update of finished_at on transactions
  when old.finished_at is null and new.finished_at is not null and new.training = 0
  begin ${COUNT_NEW}; end`,

  `create trigger transactions_counted_insert after insert on transactions
  when new.finished_at is not null and new.training = 0
  begin ${COUNT_NEW}; end`,
];

export const migration041: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
