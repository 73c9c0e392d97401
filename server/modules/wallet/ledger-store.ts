import { sql } from "kysely";
import { recordChange, type Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import type { Tables } from "../../db/tables.ts";

/**
 * The double-entry ledger of one account and environment (rules#ledger-double-entry):
 *
 *   RECHARGE   world.funding    → wallet.available   (the other way when a balance is set lower)
 *   HOLD       wallet.available → wallet.held
 *   CAPTURE    wallet.held      → provider.spent
 *   RELEASE    wallet.held      → wallet.available
 *   REFUND     provider.spent   → wallet.available
 *
 * A posting is two entries that add up to zero; each carries the balance after it. Postings and
 * entries are only ever added. The wallet's two accounts never go below zero: the UPDATE that takes
 * from them is the check.
 */
export type LedgerAccount = "wallet.available" | "wallet.held" | "world.funding" | "provider.spent";

export type PostingKind = Tables["ledger_postings"]["kind"];

export interface Posting extends Scope {
  transactionId: string;
  kind: PostingKind;
  from: LedgerAccount;
  to: LedgerAccount;
  amount: number;
  at: number;
}

/** A wallet account does not hold the amount to be taken from it. */
export class InsufficientFunds extends Error {
  readonly available: number;
  readonly shortBy: number;

  constructor(available: number, amount: number) {
    super(`the wallet holds ${available}, ${amount} is needed`);
    this.available = available;
    this.shortBy = amount - available;
  }
}

const LEDGER_ACCOUNTS: LedgerAccount[] = [
  "wallet.available",
  "wallet.held",
  "world.funding",
  "provider.spent",
];

/** Makes the empty accounts of a wallet. */
export async function openLedger(tx: Tx, scope: Scope, currency: string): Promise<void> {
  await tx
    .insertInto("ledger_accounts")
    .values(
      LEDGER_ACCOUNTS.map((name) => ({
        account_id: scope.accountId,
        environment: scope.environment,
        name,
        currency,
        balance: 0,
      })),
    )
    .execute();
}

/**
 * Moves `amount` minor units of the wallet's currency between two accounts.
 * @throws InsufficientFunds when a wallet account does not hold as much; nothing is then written.
 */
export async function post(tx: Tx, posting: Posting): Promise<void> {
  const scoped = { account_id: posting.accountId, environment: posting.environment };
  const fromBalance = await addToBalance(tx, posting, posting.from, -posting.amount);
  const toBalance = await addToBalance(tx, posting, posting.to, posting.amount);
  const { posting_id } = await tx
    .insertInto("ledger_postings")
    .values({
      ...scoped,
      transaction_id: posting.transactionId,
      kind: posting.kind,
      posted_at: posting.at,
    })
    .returning("posting_id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("ledger_entries")
    .values([
      {
        ...scoped,
        posting_id,
        name: posting.from,
        amount: -posting.amount,
        balance_after: fromBalance,
      },
      { ...scoped, posting_id, name: posting.to, amount: posting.amount, balance_after: toBalance },
    ])
    .execute();
  await recordChange(tx, posting, { topic: "wallet", subject: "balance", at: posting.at });
}

async function addToBalance(
  tx: Tx,
  scope: Scope,
  name: LedgerAccount,
  amount: number,
): Promise<number> {
  let update = tx
    .updateTable("ledger_accounts")
    .set({ balance: sql<number>`balance + ${amount}` })
    .where(inScope(scope))
    .where("name", "=", name);
  if (name.startsWith("wallet.")) update = update.where("balance", ">=", -amount);
  const row = await update.returning("balance").executeTakeFirst();
  if (row) return row.balance;
  throw new InsufficientFunds(await balanceOf(tx, scope, name), -amount);
}

/** The balance of a ledger account before an instant, by the last entry until then. */
export async function balanceBefore(
  db: Db | Tx,
  scope: Scope,
  name: LedgerAccount,
  instant: number,
): Promise<number> {
  const last = await db
    .selectFrom("ledger_postings")
    .select("posting_id")
    .where(inScope(scope))
    .where("posted_at", "<", instant)
    .orderBy("posted_at", "desc")
    .orderBy("posting_id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!last) return 0;
  const entry = await db
    .selectFrom("ledger_entries")
    .select("balance_after")
    .where(inScope(scope))
    .where("name", "=", name)
    .where("posting_id", "<=", last.posting_id)
    .orderBy("posting_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return entry?.balance_after ?? 0;
}

/** A ledger account's balance in minor units. */
export async function balanceOf(db: Db | Tx, scope: Scope, name: LedgerAccount): Promise<number> {
  const row = await db
    .selectFrom("ledger_accounts")
    .select("balance")
    .where(inScope(scope))
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return row.balance;
}
