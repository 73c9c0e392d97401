import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/**
 * Marks a provider whose company was replaced. No provider of an earlier version has the mark.
 * Stored figures of brands now name the provider: the job that closes days counts the days of shops
 * with a second provider again.
 */
export const migration012: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table upstreams add column replaced_at ${whole}`.execute(db);
    await sql`delete from day_figures where ${hasSecondProvider("day_figures")}`.execute(db);
    await sql`update environment_settings set figures_until = 0
      where ${hasSecondProvider("environment_settings")}`.execute(db);
  },
};

function hasSecondProvider(table: string) {
  return sql`exists (select 1 from upstreams u
    where u.account_id = ${sql.ref(`${table}.account_id`)}
      and u.environment = ${sql.ref(`${table}.environment`)} and u.provider_id <> 'first')`;
}
