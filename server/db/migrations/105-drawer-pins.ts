import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/** The pin of a printer's drawer connector that opens the cash drawer. */
export const migration105: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table printers add column drawer_pin ${whole} not null default 2
      check (drawer_pin in (2, 5))`.execute(db);
  },
};
