import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isFile } from "../engine-words.ts";
import { keyedTableEnd, whole } from "../migration-words.ts";

/** Permits accounts for the parts of the wallet that are at the providers: `wallet.at.first`. */
export const migration015: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const names = sql`check (name in ('wallet.available', 'wallet.held', 'world.funding',
      'provider.spent') or name like 'wallet.at.%')`;
    if (!isFile(db)) {
      await sql`alter table ledger_accounts drop constraint ledger_accounts_name_check,
        add constraint ledger_accounts_name_check ${names}`.execute(db);
      return;
    }
    // A check cannot be changed on SQLite.
    const columns = sql.raw("account_id, environment, name, currency, balance");
    await sql`create table made_accounts (
      account_id text not null references accounts,
      environment text not null check (environment in ('test', 'live')),
      name text not null ${names},
      currency text not null,
      balance ${whole} not null,
      primary key (account_id, environment, name),
      constraint wallet_never_negative check (name not like 'wallet.%' or balance >= 0)
    ) ${keyedTableEnd}`.execute(db);
    await sql`insert into made_accounts (${columns}) select ${columns} from ledger_accounts`.execute(
      db,
    );
    await sql`drop table ledger_accounts`.execute(db);
    await sql`alter table made_accounts rename to ledger_accounts`.execute(db);
  },
};
