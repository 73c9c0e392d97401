import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { bytes, tableEnd, whole } from "../migration-words.ts";

/**
 * Catalog files on their way from a screen, which one process had in memory: where a file stands, and its bytes
 * until they are checked. The next part may come to another process.
 */
export const migration101: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table catalog_uploads (
        account_id text not null references accounts,
        environment text not null check (environment in ('test', 'live')),
        import_id text not null,
        name text not null,
        bytes ${whole} not null,
        received_bytes ${whole} not null check (received_bytes between 0 and bytes),
        state text not null
          check (state in ('RECEIVING', 'CHECKING', 'FAULTY', 'SAME', 'WRITING', 'DONE', 'FAILED')),
        outcome_json text not null,
        staff_id text,
        touched_at ${whole} not null,
        primary key (account_id, environment)
      ) ${tableEnd}`.execute(db);
    await sql`create index catalog_uploads_by_time on catalog_uploads (touched_at)`.execute(db);
    await sql`
      create table catalog_upload_parts (
        account_id text not null references accounts,
        environment text not null check (environment in ('test', 'live')),
        import_id text not null,
        first_byte ${whole} not null,
        content ${bytes} not null,
        primary key (account_id, environment, import_id, first_byte)
      ) ${tableEnd}`.execute(db);
  },
};
