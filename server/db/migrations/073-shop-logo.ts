import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The picture on receipts and on the customer's display. */
export const migration073: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create table shop_logos (
          account_id text not null primary key references accounts,
          digest text not null,
          media_type text not null check (media_type in ('image/png', 'image/jpeg')),
          width integer not null,
          height integer not null,
          content blob not null
        ) strict`,
      )
      .execute(db);
  },
};
