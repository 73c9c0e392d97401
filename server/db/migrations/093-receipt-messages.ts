import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Receipts that are sent as messages, and which links have been over for long. */
const STATEMENTS = [
  "alter table receipt_sendings add column channel text check (channel in ('SMS', 'WHATSAPP'))",
  "alter table receipt_sendings add column receiver text",
  "alter table receipt_sendings add column failures integer not null default 0",
  "create index receipt_links_by_end on receipt_links (expires_at)",
];

export const migration093: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
