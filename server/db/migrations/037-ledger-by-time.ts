import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Where the ledger stood at a moment is found without walking through its postings. */
const STATEMENTS = [
  `create index ledger_postings_by_time
    on ledger_postings (account_id, environment, posted_at, posting_id)`,
];

export const migration037: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
