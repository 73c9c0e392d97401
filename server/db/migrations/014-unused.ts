import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Drops what no statement uses: the index of webhook bodies that are not encrypted, and the table
 * of the test row that now is in `shared_memory`.
 */
export const migration014: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index webhook_deliveries_clear`.execute(db);
    await sql`drop table write_probes`.execute(db);
  },
};
