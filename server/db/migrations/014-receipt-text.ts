import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** What the shop says of itself on every receipt. */
const STATEMENTS = [
  `alter table accounts add column receipt_text_json text not null
    default '{"address":[],"support":[]}'`,
];

export const migration014: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
