import { sql } from "kysely";
import type { Scope } from "../../db/changes.ts";
import type { Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import type { TransactionRef } from "../transactions/index.ts";

/** A recharge as it was booked, with its notes. */
interface RechargeRow {
  amount: number;
  created_at: number;
  reference: string | null;
  paid: number | null;
}

/** Recharges that raised a balance; `set` and reversals are DEBIT or have no client id. */
function recharges({ accountId, environment }: Scope) {
  return sql`select t.amount, t.created_at, r.reference, p.paid
    from transactions t
    left join recharge_references r on r.account_id = t.account_id
      and r.environment = t.environment and r.transaction_id = t.transaction_id
    left join recharge_payments p on p.account_id = t.account_id
      and p.environment = t.environment and p.transaction_id = t.transaction_id
    where t.account_id = ${accountId} and t.environment = ${environment} and t.type = 'CREDIT'
      and t.product_type in ('RECHARGE_SANDBOX', 'RECHARGE_WITH_CREDIT_CARD')`;
}

export async function findRecharge(
  tx: Tx,
  { transactionId, ...scope }: TransactionRef,
): Promise<RechargeRow | undefined> {
  const { rows } = await sql<RechargeRow>`${recharges(scope)}
    and t.transaction_id = ${transactionId}`.execute(tx);
  return rows[0];
}

/** The newest recharge with a reference, whatever its case, that was not taken back. */
export async function findReference(
  tx: Tx,
  scope: Scope,
  reference: string,
): Promise<RechargeRow | undefined> {
  const { rows } = await sql<RechargeRow>`${recharges(scope)}
    and lower(r.reference) = lower(${reference})
    and not exists (select 1 from recharge_reversals v where v.account_id = t.account_id
      and v.environment = t.environment and v.reversed_transaction_id = t.transaction_id)
    order by t.created_at desc limit 1`.execute(tx);
  return rows[0];
}

export async function findReversal(tx: Tx, scope: Scope, rechargeId: string) {
  return tx
    .selectFrom("recharge_reversals")
    .select(["transaction_id", "reason"])
    .where(inScope(scope))
    .where("reversed_transaction_id", "=", rechargeId)
    .executeTakeFirst();
}

export async function hasTransaction(tx: Tx, ref: TransactionRef): Promise<boolean> {
  const row = await tx
    .selectFrom("transactions")
    .select("transaction_id")
    .where(inScope(ref))
    .where("transaction_id", "=", ref.transactionId)
    .executeTakeFirst();
  return row !== undefined;
}
