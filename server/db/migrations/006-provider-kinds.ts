import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Adds the kind of the connected provider. Every earlier provider is a gateway. The checksum does
 * not cover the kind, because the encrypted credentials are of one kind only.
 */
export const migration006: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table upstreams add column kind text not null default 'gateway'`.execute(db);
  },
};
