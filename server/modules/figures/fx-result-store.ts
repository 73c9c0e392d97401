import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { indexedBy, joinInOrder } from "../../db/engine-words.ts";
import { Exact } from "../../lib/money.ts";
import { listRechargeRates, type RechargeRate } from "../recharges/index.ts";
import { type FigureScope, type Span, sumSpans } from "./figure-sums-store.ts";

/** What lines cost, in the shop's money at the rate that priced them, and in the wallet's. */
interface Costs {
  cost: number;
  wallet_cost: number;
}

/**
 * What the lines of a span cost at the rates that priced them, less what that much of the wallet's money
 * cost in the recharges (rules#figure-fx): above 0 where it was bought for less. Rounded once, halves up.
 * @returns undefined where no recharge before its end says what was paid
 */
export async function readFxResult(
  db: Db,
  scope: FigureScope,
  span: Span,
): Promise<number | undefined> {
  const rates = await listRechargeRates(db, scope, span.until - 1);
  const stretches = stretchesOf(rates, span);
  if (stretches.length === 0) return undefined;
  const sums = await sumSpans(
    db,
    scope,
    stretches.map(({ span }) => span),
  );
  let result = new Exact(0);
  for (const [index, { rate }] of stretches.entries()) {
    const sold = sums[index];
    if (sold) result = result.add(gainOf(sold, rate));
  }
  const back = await listFailed(db, scope, span, rates);
  for (const { average, ...costs } of back) result = result.sub(gainOf(costs, { average }));
  return result.add("0.5").floor().toNumber();
}

function gainOf({ cost, wallet_cost }: Costs, { average }: Pick<RechargeRate, "average">) {
  return new Exact(cost).sub(new Exact(average).mul(wallet_cost));
}

/** The parts of a span, each with what the wallet's money cost in it; nothing of before it was known. */
function stretchesOf(rates: readonly RechargeRate[], { from, until }: Span) {
  return rates.flatMap((rate, index) => {
    const span = {
      from: Math.max(from, rate.at),
      until: Math.min(until, rates[index + 1]?.at ?? until),
    };
    return span.from < span.until ? [{ rate, span }] : [];
  });
}

/** A line that failed in a span takes off the amount that it counted for when it was sold. */
async function listFailed(
  db: Db,
  { accountId, environment, currency }: FigureScope,
  { from, until }: Span,
  rates: readonly RechargeRate[],
): Promise<(Costs & { average: string })[]> {
  const { rows } = await sql<Costs & { sold_at: number }>`
    select l.created_at as sold_at, l.cost, p.cost_base + p.cost_fee as wallet_cost
    from transactions t ${indexedBy("transactions_by_finish")}
    ${joinInOrder} sale_lines l on l.account_id = t.account_id and l.environment = t.environment
      and l.transaction_id = t.transaction_id
    ${joinInOrder} sales s on s.account_id = l.account_id and s.environment = l.environment
      and s.sale_id = l.sale_id and s.training = 0 and s.currency = ${currency}
    ${joinInOrder} purchases p on p.account_id = l.account_id and p.environment = l.environment
      and p.transaction_id = l.transaction_id
    where t.account_id = ${accountId} and t.environment = ${environment}
      and t.finished_at >= ${from} and t.finished_at < ${until} and t.status = 'FAILED'`.execute(
    db,
  );
  return rows.flatMap(({ sold_at, cost, wallet_cost }) => {
    const rate = rates.findLast(({ at }) => at <= sold_at);
    return rate ? [{ cost, wallet_cost, average: rate.average }] : [];
  });
}
