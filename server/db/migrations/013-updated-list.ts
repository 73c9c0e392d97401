import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Adds the filters of transaction lists to the index of finished transactions, so that a list by the
 * last change and its total are read from that index alone.
 */
export const migration013: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index transactions_by_finish`.execute(db);
    await sql`create index transactions_by_finish on transactions (account_id, environment,
      finished_at, transaction_id, training, product_type, status, type, created_at)
      where finished_at is not null`.execute(db);
  },
};
