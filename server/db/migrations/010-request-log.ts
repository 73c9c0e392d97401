import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { numberedKey, tableEnd, unlogged, whole } from "../migration-words.ts";

/**
 * Adds the requests of API keys. On SQLite they are in a file of their own, and this table stays
 * empty. They have no reference to the account, because that file has no accounts.
 */
export const migration010: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create ${unlogged}table api_requests (
      request_no ${numberedKey},
      account_id text not null,
      environment text not null,
      key_id text not null,
      request_id text not null,
      received_at ${whole} not null,
      method text not null,
      path text not null,
      status ${whole} not null,
      duration_ms ${whole} not null,
      transaction_id text,
      request_bytes ${whole},
      request_body text,
      response_bytes ${whole},
      response_body text
    ) ${tableEnd}`.execute(db);
    // Contains all columns that a search compares, so that it reads no bodies. An index of its own
    // for each column would cost more than the rest of a request.
    await sql`create index api_requests_newest on api_requests (account_id, environment, request_no,
      received_at, status, key_id, request_id, transaction_id, path)`.execute(db);
    await sql`create index api_requests_of_key on api_requests (key_id, request_no)`.execute(db);
  },
};
