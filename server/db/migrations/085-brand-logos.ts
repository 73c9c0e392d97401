import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Logos of brands that the shop has the right to use. */
export const migration085: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create table brand_logos (
          account_id text not null references accounts,
          brand text not null,
          digest text not null,
          media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
          width integer not null,
          height integer not null,
          content blob not null,
          primary key (account_id, brand)
        ) strict`,
      )
      .execute(db);
    await sql
      .raw("create index brand_logos_by_digest on brand_logos (account_id, digest)")
      .execute(db);
  },
};
