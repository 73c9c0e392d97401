import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/**
 * Which process sends an attempt, a webhook or a question, and which writes a catalog, until when by the
 * database's clock. One process has a file for itself and writes none of them.
 */
export const migration097: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ["purchases", "webhook_deliveries"]) {
      await sql`alter table ${sql.table(table)} add column sent_by text`.execute(db);
      await sql`alter table ${sql.table(table)} add column sent_until ${whole}`.execute(db);
    }
    await sql`create index webhook_deliveries_claimed
      on webhook_deliveries (account_id, environment, endpoint_id)
      where sent_until is not null`.execute(db);
    await sql`alter table catalog_generations add column written_by text`.execute(db);
    await sql`alter table catalog_generations add column written_until ${whole}`.execute(db);
  },
};
