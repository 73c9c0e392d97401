import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/**
 * Replaces `sale_lines.owed_at` by `returned_at` and `owed`. The baseline of 29 November 2026 has
 * the same migration name and already has both columns. A database that has both columns is not
 * changed.
 */
export const migration002: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const tables = await db.introspection.getTables();
    const lines = tables.find(({ name }) => name === "sale_lines");
    if (!lines?.columns.some(({ name }) => name === "owed_at")) return;
    await sql`alter table sale_lines add column returned_at ${whole}`.execute(db);
    await sql`alter table sale_lines add column owed ${whole} not null default 0
      check (owed in (0, 1))`.execute(db);
    await markFailedLines(db);
    await markRefundedLines(db);
    await countAgain(db);
    await sql`drop index sale_lines_owed`.execute(db);
    await sql`alter table sale_lines drop column owed_at`.execute(db);
    await sql`create index sale_lines_returned on sale_lines
      (account_id, environment, owed, returned_at) where returned_at is not null`.execute(db);
  },
};

/** 1 for lines whose money the customer has not received, otherwise 0. */
const OWED = sql`case when price > discount and not exists (
    select 1 from customer_refund_lines c where c.account_id = sale_lines.account_id
      and c.environment = sale_lines.environment and c.transaction_id = sale_lines.transaction_id)
  then 1 else 0 end`;

/** Skips training, which moves no money. */
async function markFailedLines(db: Kysely<unknown>): Promise<void> {
  await sql`update sale_lines set returned_at = t.finished_at, owed = ${OWED}
    from transactions t
    where t.account_id = sale_lines.account_id and t.environment = sale_lines.environment
      and t.transaction_id = sale_lines.transaction_id
      and t.status = 'FAILED' and t.training = 0`.execute(db);
}

/** The earlier version did not return the line of a refunded purchase. */
async function markRefundedLines(db: Kysely<unknown>): Promise<void> {
  await sql`update sale_lines set returned_at = t.finished_at, owed = ${OWED}
    from refunds r
    join transactions t on t.account_id = r.account_id and t.environment = r.environment
      and t.transaction_id = r.transaction_id
    where r.account_id = sale_lines.account_id and r.environment = sale_lines.environment
      and r.refunded_transaction_id = sale_lines.transaction_id
      and t.status = 'DONE'`.execute(db);
}

/** Stored figures of closed days still contain refunded purchases. The job that closes days recounts. */
async function countAgain(db: Kysely<unknown>): Promise<void> {
  const ofRefunds = (table: string) => sql`exists (select 1 from refunds r
    where r.account_id = ${sql.ref(`${table}.account_id`)}
      and r.environment = ${sql.ref(`${table}.environment`)})`;
  await sql`delete from day_figures where ${ofRefunds("day_figures")}`.execute(db);
  await sql`update environment_settings set figures_until = 0
    where ${ofRefunds("environment_settings")}`.execute(db);
}

/** Returns `sale_lines` of the baseline to the form with `owed_at`. */
export const EARLIER_LINES = [
  sql`drop index sale_lines_returned`,
  sql`alter table sale_lines drop column returned_at`,
  sql`alter table sale_lines drop column owed`,
  sql`alter table sale_lines add column owed_at ${whole}`,
  sql`create index sale_lines_owed on sale_lines (account_id, environment, owed_at)
    where owed_at is not null`,
];
