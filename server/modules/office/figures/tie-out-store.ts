import { sql } from "kysely";
import type { TieOut } from "../../../contract/pos/figures.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy } from "../../../db/engine-words.ts";
import { API_SALE } from "../../../db/sales-channel.ts";
import { pause } from "../../../lib/clock.ts";
import { getWalletUnit, spentBetween } from "../../books/wallet/index.ts";
import type { Sums } from "./figure-definitions.ts";
import type { Span } from "./figure-sums-store.ts";

/** Length of the periods that are summed without a pause for other work. */
const AT_ONCE_MS = 7 * 86_400_000;

/**
 * Reconciles the cost of sales with the wallet's spending in the ledger (rules#figure-tie-out).
 * Sums the amount of each reason for a difference from the transactions, by finish time.
 */
export async function readTieOut(
  db: Db,
  scope: Scope,
  span: Span,
  sums: Pick<Sums, "wallet_cost" | "wallet_cost_back">,
): Promise<TieOut> {
  const total = { spent: 0, failed: 0, sold_earlier: 0, integrators: 0, refunded: 0, returned: 0 };
  for (let from = span.from; from < span.until; from += AT_ONCE_MS) {
    const part = { from, until: Math.min(span.until, from + AT_ONCE_MS) };
    const finished = await sumFinished(db, scope, part, span);
    total.spent += finished.spent;
    total.failed += finished.failed;
    total.sold_earlier += finished.sold_earlier;
    total.integrators += finished.integrators;
    total.refunded += finished.refunded;
    total.returned += finished.returned;
    await pause();
  }
  const { wallet_cost: sold, wallet_cost_back: back } = sums;
  const terms = {
    costSold: sold - back,
    failedEarlier: back - total.failed - total.returned,
    notSpent: -(sold - total.failed - total.spent),
    soldEarlier: total.sold_earlier,
    integrators: total.integrators,
    refunded: -total.refunded,
  };
  const explained = Object.values(terms).reduce((sum, term) => sum + term, 0);
  const walletSpent = await spentBetween(db, scope, span.from, span.until);
  const unit = await getWalletUnit(db, scope.accountId);
  return { ...unit, ...terms, walletSpent, difference: walletSpent - explained };
}

/** A purchase counts as sold if it is a line of a sale, or if `/v1` stored its cost. */
interface FinishedSums {
  /** Amount spent on purchases sold within the whole span. */
  spent: number;
  /** Cost of failed purchases that were sold within the whole span. */
  failed: number;
  sold_earlier: number;
  /** Amount spent on purchases through `/v1` that do not count as sold. */
  integrators: number;
  /** Refunds of purchases that do not count as sold. */
  refunded: number;
  /** Refunded costs of sold purchases, which the cost of sales no longer contains. */
  returned: number;
}

async function sumFinished(
  db: Db,
  { accountId, environment }: Scope,
  { from, until }: Span,
  whole: Span,
): Promise<FinishedSums> {
  const { rows } = await sql<FinishedSums>`
    select
      coalesce(sum(t.amount) filter (
        where t.status = 'DONE' and t.type = 'DEBIT' and t.sold_at >= ${whole.from}), 0) as spent,
      coalesce(sum(t.amount) filter (
        where t.status = 'FAILED' and t.type = 'DEBIT' and t.sold_at >= ${whole.from}), 0) as failed,
      coalesce(sum(t.amount) filter (
        where t.status = 'DONE' and t.type = 'DEBIT' and t.sold_at < ${whole.from}), 0)
        as sold_earlier,
      coalesce(sum(t.amount) filter (
        where t.status = 'DONE' and t.type = 'DEBIT' and t.sold_at is null), 0) as integrators,
      coalesce(sum(t.amount) filter (
        where t.status = 'DONE' and t.product_type = 'REFUND' and t.sold_at is null), 0) as refunded,
      coalesce(sum(t.amount) filter (
        where t.status = 'DONE' and t.product_type = 'REFUND' and t.sold_at is not null), 0) as returned
    from (select t.status, t.type, t.product_type, t.amount,
      coalesce(l.created_at, case when p.transaction_id is not null then b.created_at end) as sold_at
    from transactions t ${indexedBy("transactions_by_finish")}
    left join refunds r on r.account_id = t.account_id and r.environment = t.environment
      and r.transaction_id = t.transaction_id
    left join transactions b on b.account_id = t.account_id and b.environment = t.environment
      and b.transaction_id = coalesce(r.refunded_transaction_id, t.transaction_id)
    left join sale_lines l on l.account_id = b.account_id and l.environment = b.environment
      and l.transaction_id = b.transaction_id
    left join purchases p on p.account_id = b.account_id and p.environment = b.environment
      and p.transaction_id = b.transaction_id and ${sql.raw(API_SALE)}
    where t.account_id = ${accountId} and t.environment = ${environment}
      and t.finished_at >= ${from} and t.finished_at < ${until}
      and t.training = 0
      and t.product_type not in ('RECHARGE_SANDBOX', 'RECHARGE_WITH_CREDIT_CARD')) t`.execute(db);
  return (
    rows[0] ?? { spent: 0, failed: 0, sold_earlier: 0, integrators: 0, refunded: 0, returned: 0 }
  );
}
