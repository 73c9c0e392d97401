import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/** Marks a provider whose company was replaced. No provider of an earlier version has the mark. */
export const migration013: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table upstreams add column replaced_at ${whole}`.execute(db);
  },
};
