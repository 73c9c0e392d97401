import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Each day the files of old reports are looked for, to be cleared away. */
const STATEMENTS = ["create index reports_by_end on reports (status, updated_at)"];

export const migration012: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
