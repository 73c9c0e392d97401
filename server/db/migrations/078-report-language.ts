import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The language of a report that has words: the document of a day. */
export const migration078: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw("alter table shop_reports add column language text").execute(db);
  },
};
