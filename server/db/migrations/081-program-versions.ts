import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Which versions of the program worked on the database: when one first started, and when one brought it up
 * to date, with the backup from before and the commits there were with it.
 */
const STATEMENTS = [
  `create table program_versions (
    entry_id integer primary key,
    kind text not null check (kind in ('STARTED', 'MIGRATED')),
    version text not null,
    recorded_at integer not null,
    backup text,
    commits integer check ((commits is null) = (backup is null))
  ) strict`,
];

export const migration081: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
