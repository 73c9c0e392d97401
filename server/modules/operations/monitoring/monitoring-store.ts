import { sql } from "kysely";
import type { Environment, TransactionStatus } from "../../../contract/common.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy } from "../../../db/engine-words.ts";

/** Transactions of one status; `oldestAt` is when the oldest of them was accepted. */
export interface UnfinishedCount {
  environment: Environment;
  status: TransactionStatus;
  count: number;
  oldestAt: number;
}

export interface FinishedCount {
  environment: Environment;
  status: TransactionStatus;
  count: number;
}

/** Jobs of one kind: how many wait, how many are due, and since when the first of those is. */
export interface JobCount {
  kind: string;
  count: number;
  due: number;
  oldestDueAt: number | null;
}

/** Minor units of the currency. */
export interface WalletFigure {
  environment: Environment;
  currency: string;
  currencyDivisor: number;
  available: number;
  held: number;
}

// Every query reads an index of what is unfinished, or of one day: none grows with the years.

export async function countUnfinished(db: Db, accountId: string): Promise<UnfinishedCount[]> {
  const { rows } = await sql<UnfinishedCount>`
    select environment, status, count(*) as count, min(created_at) as "oldestAt"
    from transactions ${indexedBy("transactions_unfinished")}
    where finished_at is null and account_id = ${accountId} and training = 0
    group by environment, status order by environment desc, status`.execute(db);
  return rows;
}

export async function countFinished(
  db: Db,
  accountId: string,
  period: { after: number; until: number },
): Promise<FinishedCount[]> {
  const { rows } = await sql<FinishedCount>`
    select environment, status, count(*) as count from transactions
    where account_id = ${accountId} and environment in ('test', 'live')
      and training = 0 and finished_at > ${period.after} and finished_at <= ${period.until}
    group by environment, status order by environment desc, status`.execute(db);
  return rows;
}

/** Transactions whose outcome an owner must ask the provider for. */
export async function countUnreconciled(
  db: Db,
  accountId: string,
): Promise<{ environment: Environment; count: number }[]> {
  const { rows } = await sql<{ environment: Environment; count: number }>`
    select environment, count(*) as count
    from transactions ${indexedBy("transactions_to_reconcile")}
    where needs_reconciliation = 1 and account_id = ${accountId}
    group by environment order by environment desc`.execute(db);
  return rows;
}

export async function countJobs(db: Db, now: number): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    select kind, count(*) as count, count(*) filter (where run_at <= ${now}) as due,
      min(run_at) filter (where run_at <= ${now}) as "oldestDueAt"
    from jobs group by kind order by kind`.execute(db);
  return rows;
}

export async function readWallets(db: Db, accountId: string): Promise<WalletFigure[]> {
  const { rows } = await sql<WalletFigure>`
    select environment, currency, wallet_currency_divisor as "currencyDivisor",
      coalesce(sum(balance) filter (where name = 'wallet.available'), 0) as available,
      coalesce(sum(balance) filter (where name = 'wallet.held'), 0) as held
    from ledger_accounts join accounts using (account_id)
    where account_id = ${accountId}
    group by environment, currency, wallet_currency_divisor order by environment desc`.execute(db);
  return rows;
}
