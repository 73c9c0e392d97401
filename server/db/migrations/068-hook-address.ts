import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Where the upstream reaches this gateway with its webhooks: what stands before their path. */
export const migration068: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw("alter table upstreams add column hook_base_url text").execute(db);
  },
};
