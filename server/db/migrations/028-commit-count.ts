import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Counts what was committed, to be compared with what a file beside the database says. */
const STATEMENTS = [
  `create table commit_count (
    one integer primary key check (one = 1),
    commits integer not null,
    transactions integer not null,
    committed_at integer not null
  ) strict`,
  `insert into commit_count
    select 1, 0, count(*), coalesce(max(updated_at), 0) from transactions`,
  `create trigger transactions_count after insert on transactions
    begin update commit_count set transactions = transactions + 1 where one = 1; end`,
  `create table write_probes (
    one integer primary key check (one = 1),
    filler blob not null
  ) strict`,
];

export const migration028: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
