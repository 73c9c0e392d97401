import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { renewChecksumsOf, whole } from "../migration-words.ts";

/** Columns of the checksum of an API key before this migration. */
const CHECKED_BEFORE = [
  ["account_id", "environment"],
  ["key_id", "name", "hash", "hint", "allowed_addresses_json", "created_at", "revoked_at"],
].flat();
const CHECKED = [...CHECKED_BEFORE, "scopes", "expires_at"];

/** Adds the scopes and the expiry of API keys. Earlier keys have all scopes and never expire. */
export const migration009: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table api_keys add column scopes text not null
      default 'read sell reports'`.execute(db);
    await sql`alter table api_keys add column expires_at ${whole}`.execute(db);
    await renewChecksumsOf(db, "api_keys", CHECKED, CHECKED_BEFORE);
  },
};
