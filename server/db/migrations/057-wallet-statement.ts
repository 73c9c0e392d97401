import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What the back office looks for is found by an index: the few postings that are not of a purchase that
 * went well, what was bought by whom it is for and by the provider's numbers, and what was done to a sale.
 */
const STATEMENTS = [
  `create table wallet_alerts (
    account_id text not null references accounts,
    environment text not null check (environment in ('test', 'live')),
    low_amount integer check (low_amount > 0),
    low_hours integer check (low_hours > 0),
    primary key (account_id, environment)
  ) strict`,

  `create table recharge_references (
    account_id text not null,
    environment text not null check (environment in ('test', 'live')),
    transaction_id text not null,
    reference text not null check (reference <> ''),
    primary key (account_id, environment, transaction_id),
    foreign key (account_id, environment, transaction_id) references transactions
  ) strict`,

  `create index ledger_postings_rare
    on ledger_postings (account_id, environment, kind, posted_at, posting_id)
    where kind in ('RECHARGE', 'RELEASE', 'REFUND')`,

  `create index purchases_by_recipient on purchases (account_id, environment, recipient)
    where recipient <> ''`,

  `create index purchases_by_confirmation on purchases (account_id, environment,
      json_extract(fulfilment_json, '$.confirmation.confirmationNumber'))
    where json_valid(fulfilment_json)`,

  `create index purchases_by_reference on purchases (account_id, environment,
      json_extract(fulfilment_json, '$.confirmation.externalReferenceId'))
    where json_valid(fulfilment_json)`,

  "create index audit_trail_of_subject on audit_trail (account_id, subject, entry_id)",
];

export const migration057: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
