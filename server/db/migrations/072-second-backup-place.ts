import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** A folder that holds a copy of every backup, and how far it is. */
export const migration072: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create table second_backup_places (
          account_id text not null primary key references accounts,
          dir text not null,
          missing integer not null,
          copied_at integer,
          problem_kind text check (problem_kind in ('AWAY', 'FULL', 'FAILED')),
          problem_text text,
          problem_at integer
        ) strict`,
      )
      .execute(db);
  },
};
