import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What a webhook's receiver answered may repeat what it was sent, PINs and codes among it: it is
 * encrypted from now on. A migration has no key, so what lies there in clear is forgotten.
 */
export const migration032: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`update webhook_attempts set answer = null where answer is not null`.execute(db);
  },
};
