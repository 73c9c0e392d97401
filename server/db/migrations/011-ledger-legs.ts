import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isFile } from "../engine-words.ts";
import { addTrigger, makeAppendOnly, numberedKey, tableEnd, whole } from "../migration-words.ts";

/**
 * Numbers the holds of a purchase, so that it can move to another provider at another cost. Each leg
 * is opened once and settled once: all legs except the last by a RELEASE. Adds the providers that
 * refused a purchase.
 */
export const migration011: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index ledger_postings_settle_once`.execute(db);
    if (isFile(db)) await rebuildPostings(db);
    else await widenKey(db);
    await sql`create unique index ledger_postings_once on ledger_postings (account_id, environment,
      transaction_id, leg, (case when kind in ('CAPTURE', 'RELEASE') then 1 else 0 end))`.execute(
      db,
    );
    await sql`alter table purchases add column refused_by text`.execute(db);
    await sql`alter table purchases add column may_have_moved ${whole}
      check (may_have_moved = 1)`.execute(db);
  },
};

/** Locks the table first, so that no posting of a running process is lost. Copies no row. */
async function widenKey(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ledger_postings
    add column leg ${whole} not null default 1 check (leg > 0),
    drop constraint ledger_postings_account_id_environment_transaction_id_kind_key`.execute(db);
}

/** A unique constraint cannot be dropped on SQLite. */
async function rebuildPostings(db: Kysely<unknown>): Promise<void> {
  const columns = sql.raw(
    "posting_id, account_id, environment, transaction_id, kind, amount, from_balance, to_balance, posted_at",
  );
  await sql`drop view ledger_entries`.execute(db);
  await sql`create table made_postings (
    posting_id ${numberedKey},
    account_id text not null,
    environment text not null check (environment in ('test', 'live')),
    transaction_id text not null,
    kind text not null check (kind in ('RECHARGE', 'HOLD', 'CAPTURE', 'RELEASE', 'REFUND')),
    amount ${whole} not null check (amount >= 0 or kind = 'RECHARGE'),
    from_balance ${whole} not null,
    to_balance ${whole} not null,
    posted_at ${whole} not null,
    leg ${whole} not null default 1 check (leg > 0),
    foreign key (account_id, environment, transaction_id) references transactions
  ) ${tableEnd}`.execute(db);
  await sql`insert into made_postings (${columns}) select ${columns} from ledger_postings`.execute(
    db,
  );
  await sql`drop table ledger_postings`.execute(db);
  await sql`alter table made_postings rename to ledger_postings`.execute(db);
  await sql`create index ledger_postings_by_time on ledger_postings (account_id, environment,
    posted_at, posting_id)`.execute(db);
  await sql`create index ledger_postings_rare on ledger_postings (account_id, environment, kind,
    posted_at, posting_id) where kind in ('RECHARGE', 'RELEASE', 'REFUND')`.execute(db);
  await makeAppendOnly(db, "ledger_postings");
  await addTrigger(db, {
    name: "ledger_postings_changes",
    event: "after insert",
    table: "ledger_postings",
    body: `
    insert into changes (account_id, environment, topic, subject, changed_at)
    values (new.account_id, new.environment, 'wallet', 'balance', new.posted_at);`,
  });
  await sql`create view ledger_entries as
    select posting_id, account_id, environment,
      case kind when 'RECHARGE' then 'world.funding' when 'HOLD' then 'wallet.available'
        when 'REFUND' then 'provider.spent' else 'wallet.held' end as name,
      -amount as amount, from_balance as balance_after
    from ledger_postings
    union all
    select posting_id, account_id, environment,
      case kind when 'HOLD' then 'wallet.held' when 'CAPTURE' then 'provider.spent'
        else 'wallet.available' end,
      amount, to_balance
    from ledger_postings`.execute(db);
}
