import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Where the shop is, when an owner says so; else its currency and time zone do. */
export const migration063: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw("alter table shops add column country text").execute(db);
  },
};
