import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * The receipts that were sent, as owners list them: what became of a mail stands with its sending too, and one that
 * failed can be sent again.
 */
const STATEMENTS = [
  "alter table mails add column again_at integer",
  `update receipt_sendings set state = m.state, fault = m.fault,
      ended_at = case when m.state = 'WAITING' then null else coalesce(m.sent_at, m.created_at) end
    from mails m
    where m.account_id = receipt_sendings.account_id and m.mail_id = receipt_sendings.mail_id`,
  `create index receipt_sendings_newest
    on receipt_sendings (account_id, created_at, environment, sending_id)`,
  `create index receipt_sendings_by_state
    on receipt_sendings (account_id, state, created_at, environment, sending_id)`,
];

export const migration095: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
