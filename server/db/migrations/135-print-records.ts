import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { tableEnd, whole } from "../migration-words.ts";

/**
 * The state of each print by the id that the till gave it. A print is written to `receipt_prints` or
 * `z_report_prints` when its first byte is sent, and from then on its outcome may be unknown.
 */
export const migration135: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table print_records (
        account_id text not null references accounts,
        print_id text not null,
        environment text not null check (environment in ('test', 'live')),
        kind text not null check (kind in ('SALE', 'Z_REPORT')),
        subject text not null,
        copy_number ${whole} not null check (copy_number >= 0),
        staff_id text not null,
        granted_rights text not null,
        state text not null check (state in ('NOT_BEGUN', 'BEGUN', 'PRINTED', 'REPLACED')),
        recorded_at ${whole} not null,
        primary key (account_id, print_id)
      ) ${tableEnd}`.execute(db);
    await sql`create index print_records_not_begun
      on print_records (account_id, environment, kind, subject) where state = 'NOT_BEGUN'`.execute(
      db,
    );
    await sql`create index print_records_by_time on print_records (account_id, recorded_at)`.execute(
      db,
    );
  },
};
