import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** A catalog file that was checked and waits until its owner has read what it changes. */
export const migration071: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create table catalog_imports (
          account_id text not null references accounts,
          environment text not null check (environment in ('test', 'live')),
          import_id text not null,
          name text not null,
          bytes integer not null,
          checked_at integer not null,
          base_version integer not null,
          difference_json text not null,
          content blob not null,
          primary key (account_id, environment)
        ) strict`,
      )
      .execute(db);
  },
};
