import type { Scope } from "./changes.ts";
import type { Tx } from "./database.ts";
import { inScope } from "./scope-filters.ts";

/**
 * Marks the line of a sale whose purchase failed: the customer is owed its price. Purchases through `/v1` have no line,
 * and a line without a price leaves no debt.
 */
export async function markOwed(
  tx: Tx,
  { transactionId, ...scope }: Scope & { transactionId: string },
  failedAt: number,
): Promise<void> {
  await tx
    .updateTable("sale_lines")
    .set({ owed_at: failedAt })
    .where(inScope(scope))
    .where("transaction_id", "=", transactionId)
    .whereRef("price", ">", "discount")
    .execute();
}

/** Removes the mark of lines whose money is refunded. */
export async function clearOwed(
  tx: Tx,
  scope: Scope,
  transactionIds: readonly string[],
): Promise<void> {
  await tx
    .updateTable("sale_lines")
    .set({ owed_at: null })
    .where(inScope(scope))
    .where("transaction_id", "in", transactionIds)
    .execute();
}

/** Finds every line whose money is owed and that is not marked so, or is marked and not owed. */
export const OWED_LINE_VIOLATIONS = `
  select l.transaction_id || case when l.owed_at is null then ' is owed and not marked so'
      else ' is marked as owed otherwise' end as violation
  from sale_lines l
  join sales s using (account_id, environment, sale_id)
  join transactions t using (account_id, environment, transaction_id)
  where l.owed_at is distinct from case
    when s.training = 0 and t.status = 'FAILED' and l.price > l.discount and not exists (
      select 1 from customer_refund_lines g where g.account_id = l.account_id
        and g.environment = l.environment and g.transaction_id = l.transaction_id)
    then t.finished_at end`;
