import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Mails whose text is made when they are sent, so that what it holds is not kept. */
export const migration087: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw("alter table mails add column made_of text").execute(db);
  },
};
