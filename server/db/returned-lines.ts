import { sql } from "kysely";
import type { Scope } from "./changes.ts";
import type { Tx } from "./database.ts";
import { inScope } from "./scope-filters.ts";

/**
 * Marks the line of a sale whose purchase failed, or whose cost the provider refunded. The line no
 * longer counts as sold, and the shop owes its price to the customer (rules#refund-returns-line).
 * Purchases through `/v1` have no line. A line without a price causes no debt.
 */
export async function markReturned(
  tx: Tx,
  { transactionId, ...scope }: Scope & { transactionId: string },
  returnedAt: number,
): Promise<void> {
  await tx
    .updateTable("sale_lines")
    .set({ returned_at: returnedAt, owed: sql`case when price > discount then 1 else 0 end` })
    .where(inScope(scope))
    .where("transaction_id", "=", transactionId)
    .execute();
}

/** Ends the debt of lines whose money was refunded to the customer. */
export async function clearOwed(
  tx: Tx,
  scope: Scope,
  transactionIds: readonly string[],
): Promise<void> {
  await tx
    .updateTable("sale_lines")
    .set({ owed: 0 })
    .where(inScope(scope))
    .where("transaction_id", "in", transactionIds)
    .execute();
}

/**
 * SQL that finds lines whose return or debt disagrees with their purchase,
 * refund or customer refund.
 */
export const RETURNED_LINE_VIOLATIONS = `
  select l.transaction_id || ' is marked as returned at ' || coalesce(cast(l.returned_at as text), 'no time')
      || ' and owed ' || l.owed || ', and is otherwise' as violation
  from sale_lines l
  join sales s using (account_id, environment, sale_id)
  join transactions t using (account_id, environment, transaction_id)
  left join (
    select r.account_id, r.environment, r.refunded_transaction_id, c.finished_at
    from refunds r join transactions c using (account_id, environment, transaction_id)
    where c.status = 'DONE'
  ) c on c.account_id = l.account_id and c.environment = l.environment
    and c.refunded_transaction_id = l.transaction_id
  where l.returned_at is distinct from case
      when s.training = 1 then null
      when t.status = 'FAILED' then t.finished_at
      else c.finished_at end
    or l.owed <> case when l.returned_at is not null and l.price > l.discount and not exists (
        select 1 from customer_refund_lines g where g.account_id = l.account_id
          and g.environment = l.environment and g.transaction_id = l.transaction_id)
      then 1 else 0 end`;
