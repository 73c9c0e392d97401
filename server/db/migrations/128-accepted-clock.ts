import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/** The newest record and the machine's clock when an owner said that the clock is right (rules#clock-accepted). */
export const migration128: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table accounts add column clock_newest ${whole}`.execute(db);
    await sql`alter table accounts add column clock_accepted_at ${whole}`.execute(db);
  },
};
