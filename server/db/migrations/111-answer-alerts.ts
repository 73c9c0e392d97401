import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Recipients who get mail about unclear sales get mail about unreadable answers of providers as well. */
export const migration111: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      update alert_mail
      set settings_json = replace(settings_json, '"CASES"', '"CASES","PROVIDER_ANSWERS"')
      where settings_json not like '%"PROVIDER_ANSWERS"%'`.execute(db);
  },
};
