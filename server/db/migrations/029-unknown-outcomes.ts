import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** How long, of the time that the gateway ran, an outcome has been asked about in vain. */
const STATEMENTS = [
  "alter table purchases add column unknown_for_ms integer not null default 0 check (unknown_for_ms >= 0)",
  "alter table refunds add column unknown_for_ms integer not null default 0 check (unknown_for_ms >= 0)",
];

export const migration029: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
