import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * An attempt of a webhook is on record before it is sent, with neither a status nor an error. A start
 * closes those that were cut off, and finds them without a walk through all that were ever made.
 */
export const migration031: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index webhook_attempts_open
      on webhook_attempts (account_id, environment, delivery_id)
      where status is null and error is null`.execute(db);
  },
};
