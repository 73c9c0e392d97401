import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { whole } from "../migration-words.ts";

/**
 * Whether a mail failed because the shop's server did not take it in all its time, which its owner is told of; a
 * receipt whose address was refused says nothing of the shop's mail. Until now receipts failed for their address
 * alone, and all other mails for their time alone.
 */
export const migration103: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table mails add column given_up ${whole} not null default 0`.execute(db);
    await sql`update mails set given_up = 1 where state = 'FAILED' and made_of is null`.execute(db);
  },
};
