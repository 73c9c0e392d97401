import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { addTrigger, tableEnd, whole } from "../migration-words.ts";

/**
 * The recovery kit of a shop, the number of entries in its audit trail, and the restores whose returned access an
 * owner still has to confirm.
 */
export const migration130: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table recovery_kits (
        account_id text not null primary key references accounts,
        kit_id text not null,
        key_id text not null,
        made_at ${whole} not null,
        content_json text not null
      ) ${tableEnd}`.execute(db);
    await sql`
      create table restore_reviews (
        account_id text not null primary key references accounts,
        restored_at ${whole} not null,
        taken_at ${whole} not null,
        returned_json text
      ) ${tableEnd}`.execute(db);
    await sql`
      create table audit_counts (
        account_id text not null primary key references accounts,
        entries ${whole} not null
      ) ${tableEnd}`.execute(db);
    await sql`
      insert into audit_counts (account_id, entries)
      select account_id, count(*) from audit_trail group by account_id`.execute(db);
    await addTrigger(db, {
      name: "audit_trail_counted",
      event: "after insert",
      table: "audit_trail",
      body: `insert into audit_counts (account_id, entries) values (new.account_id, 1)
        on conflict (account_id) do update set entries = audit_counts.entries + 1;`,
    });
  },
};
