import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Which receipts that were sent still say to whom: the oldest are asked for each day. */
const STATEMENT = `create index receipt_sendings_addressed on receipt_sendings (account_id, created_at)
  where recipient <> ''`;

export const migration094: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(STATEMENT).execute(db);
  },
};
