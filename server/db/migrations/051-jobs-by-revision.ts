import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Which run has a job is known to the one gateway that runs it, and needs no write. What changes with
 * a transaction or with the wallet is told to followers by the rows that say so themselves.
 */
const STATEMENTS = [
  "drop index jobs_due",
  "alter table jobs drop column lease",
  "alter table jobs add column revision integer not null default 0",
  "create index jobs_due on jobs (run_at)",

  `create trigger transaction_log_changes after insert on transaction_log
  begin
    insert into changes (account_id, environment, topic, subject, changed_at)
    values (new.account_id, new.environment, 'purchase', new.transaction_id, new.logged_at);
  end`,

  `create trigger ledger_postings_changes after insert on ledger_postings
  begin
    insert into changes (account_id, environment, topic, subject, changed_at)
    values (new.account_id, new.environment, 'wallet', 'balance', new.posted_at);
  end`,
];

export const migration051: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
