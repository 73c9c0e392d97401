import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/** Which guesses at a PIN were checked: one whose process died before that was perhaps right. */
export const migration141: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      alter table pin_guesses add column checked ${whole} not null default 1`.execute(db);
  },
};
