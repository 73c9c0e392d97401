import { sql } from "kysely";
import type { FigureMoney, FigureTender, TieOut } from "../../../contract/pos/figures.ts";
import type { ShopTender } from "../../../contract/pos/shop-tenders.ts";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import { TENDER_KINDS, type TenderKind } from "../../../contract/pos/tenders.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import { indexedBy, joinInOrder } from "../../../db/engine-words.ts";
import {
  API_RETURNED,
  API_SALES,
  API_SALES_BACK,
  RETURNED,
  write,
} from "../../../db/figure-sums.ts";
import { API_SALE, TAX_OF_API_SALE } from "../../../db/sales-channel.ts";
import { pause } from "../../../lib/clock.ts";
import { Exact } from "../../../lib/money.ts";
import { getWalletUnit, spentBetween } from "../../books/wallet/index.ts";
import { addedToSafe, type CashFlow, sumCashFlow } from "../../selling/shifts/index.ts";
import { listRechargeRates, type RechargeRate } from "../recharges/index.ts";
import { type FigureScope, NO_SUMS, type Span, type Sums } from "./counted-rows.ts";
import { viewPeriod } from "./figure-period.ts";
import { type FigureReader, viewHeading } from "./figure-reader.ts";
import type { Days } from "./figure-service.ts";
import { sumSpans, sumTenders, type TenderSums, toFigures } from "./figure-sums-store.ts";

export class MoneyService {
  readonly #reader: FigureReader;

  constructor(reader: FigureReader) {
    this.#reader = reader;
  }

  /** @throws Problem NOT_SET_UP, INVALID_REQUEST naming the day */
  async view(reader: Scope, query: Days): Promise<FigureMoney> {
    const asked = await this.#reader.readRequest(reader, query);
    const { scope, shop, now, period } = asked;
    return this.#reader.read(scope, period, async (db) => {
      const [sums = NO_SUMS] = await sumSpans(db, scope, [period]);
      const flow = await sumCashFlow(db, scope, period);
      const { payIns, payOuts, drops, differences, deposits } = flow;
      const tenders = await sumTenders(db, scope, period);
      const taken = sumKinds(tenders, "taken");
      const refunded = sumKinds(tenders, "refunded");
      const cash = taken.cash - refunded.cash;
      const fxResult = await readFxResult(db, scope, period);
      return {
        ...viewHeading(asked),
        period: viewPeriod(period, now),
        figures: toFigures(sums),
        taken,
        refunded,
        byTender: listTenderFigures(shop.tenders, tenders),
        drawers: {
          payIns,
          payOuts,
          drops,
          differences,
          deposits,
          safe: addedToSafe(flow),
          cash: cash + payIns - payOuts + differences - deposits,
        },
        ...(fxResult !== undefined && { fxResult }),
        tieOut: await readTieOut(db, scope, period, sums),
      };
    });
  }

  /** Returns the tax by rate; the sum equals the tax of the figures (rules#figure-tax-rates). */
  async listTaxes(reader: Scope, query: Days): Promise<ShiftTax[]> {
    const { scope, period } = await this.#reader.readRequest(reader, query);
    return this.#reader.read(scope, period, (db) => sumTaxRates(db, scope, period));
  }

  async readCashFlow(reader: Scope, query: Days): Promise<CashFlow> {
    const { scope, period } = await this.#reader.readRequest(reader, query);
    return this.#reader.read(scope, period, (db) => sumCashFlow(db, scope, period));
  }
}

/**
 * Costs: `cost` in the shop's currency at the rate of the price, `wallet_cost` in the wallet's
 * currency.
 */
interface Costs {
  cost: number;
  wallet_cost: number;
}

/**
 * Calculates the exchange result of a span (rules#figure-fx): the cost of its lines at the rate of
 * their price, less the price that the shop paid for the wallet money spent on them. Positive if
 * that wallet money was cheaper. Rounded once, half up.
 * @returns undefined if no recharge before the end of the span has a price
 */
async function readFxResult(db: Db, scope: FigureScope, span: Span): Promise<number | undefined> {
  const rates = await listRechargeRates(db, scope, span.until - 1);
  const stretches = splitByRate(rates, span);
  if (stretches.length === 0) return undefined;
  const sums = await sumSpans(
    db,
    scope,
    stretches.map(({ span }) => span),
  );
  let result = new Exact(0);
  for (const [index, { rate }] of stretches.entries()) {
    const sold = sums[index];
    if (sold) result = result.add(calculateGain(sold, rate));
  }
  const back = await listReturned(db, scope, span, rates);
  for (const { average, ...costs } of back) result = result.sub(calculateGain(costs, { average }));
  return result.add("0.5").floor().toNumber();
}

function calculateGain({ cost, wallet_cost }: Costs, { average }: Pick<RechargeRate, "average">) {
  return new Exact(cost).sub(new Exact(average).mul(wallet_cost));
}

/** Splits a span by the price of the wallet's money, without the time before the first price. */
function splitByRate(rates: readonly RechargeRate[], { from, until }: Span) {
  return rates.flatMap((rate, index) => {
    const span = {
      from: Math.max(from, rate.at),
      until: Math.min(until, rates[index + 1]?.at ?? until),
    };
    return span.from < span.until ? [{ rate, span }] : [];
  });
}

/** Lists the costs of returned lines at the time of their sale. */
async function listReturned(
  db: Db,
  { accountId, environment, currency }: FigureScope,
  { from, until }: Span,
  rates: readonly RechargeRate[],
): Promise<(Costs & { average: string })[]> {
  const { rows } = await sql<Costs & { sold_at: number }>`
    select l.created_at as sold_at, l.cost, p.cost_base + p.cost_fee as wallet_cost
    from sale_lines l ${indexedBy("sale_lines_returned")}
    ${joinInOrder} sales s on s.account_id = l.account_id and s.environment = l.environment
      and s.sale_id = l.sale_id and s.training = 0 and s.currency = ${currency}
    ${joinInOrder} purchases p on p.account_id = l.account_id and p.environment = l.environment
      and p.transaction_id = l.transaction_id
    where l.account_id = ${accountId} and l.environment = ${environment} and ${sql.raw(RETURNED)}
      and l.returned_at >= ${from} and l.returned_at < ${until}
    union all
    select t.created_at, p.shop_cost, p.cost_base + p.cost_fee from ${write(API_SALES_BACK)}
    where x.account_id = ${accountId} and x.environment = ${environment}
      and ${sql.raw(API_RETURNED)} and p.price_currency = ${currency}
      and x.finished_at >= ${from} and x.finished_at < ${until}`.execute(db);
  return rows.flatMap(({ sold_at, cost, wallet_cost }) => {
    const rate = rates.findLast(({ at }) => at <= sold_at);
    return rate ? [{ cost, wallet_cost, average: rate.average }] : [];
  });
}

function sumKinds(tenders: readonly TenderSums[], part: "taken" | "refunded") {
  const sum = (kind: TenderKind) =>
    tenders.filter((one) => one.kind === kind).reduce((total, one) => total + one[part], 0);
  return { cash: sum("CASH"), card: sum("CARD"), other: sum("OTHER") };
}

/**
 * Returns figures by tender. Money of a deleted tender counts for the first tender of its kind
 * (rules#figure-tenders).
 */
function listTenderFigures(
  tenders: readonly ShopTender[],
  found: readonly TenderSums[],
): FigureTender[] {
  const isFirst = ({ tenderId }: ShopTender) => TENDER_KINDS.some((kind) => kind === tenderId);
  const added = new Set(
    tenders.filter((one) => !isFirst(one)).map(({ kind, tenderId }) => `${kind} ${tenderId}`),
  );
  const rows = tenders.map((tender) => {
    const { kind, tenderId, name } = tender;
    const own = found.filter(
      (one) =>
        one.kind === kind &&
        (isFirst(tender) ? !added.has(`${kind} ${one.tenderId}`) : one.tenderId === tenderId),
    );
    return {
      kind,
      tenderId,
      ...(name !== undefined && { name }),
      taken: own.reduce((sum, one) => sum + one.taken, 0),
      refunded: own.reduce((sum, one) => sum + one.refunded, 0),
    };
  });
  return rows.filter(({ taken, refunded }) => taken !== 0 || refunded !== 0);
}

/**
 * Sums tax by kind and rate (rules#figure-tax-rates). Lines sold and not returned within the span
 * are added; lines sold earlier and returned within it are subtracted.
 */
export async function sumTaxRates(
  db: Db,
  { accountId, environment, currency }: FigureScope,
  { from, until }: Span,
): Promise<ShiftTax[]> {
  const ofShop = sql`${joinInOrder} sales s on s.account_id = l.account_id and s.environment = l.environment
      and s.sale_id = l.sale_id and s.training = 0 and s.currency = ${currency}`;
  const taxOf = sql.raw(`${TAX_OF_API_SALE.kind}, ${TAX_OF_API_SALE.percent}`);
  const isTaxed = sql`p.price_currency = ${currency} and p.shop_tax <> 0`;
  const { rows } = await sql<ShiftTax>`
    select kind, percent, sum(sold) as sold, sum(refunded) as refunded from (
      select l.tax_kind as kind, l.tax_percent as percent, l.tax as sold, 0 as refunded
      from sale_lines l ${indexedBy("sale_lines_newest")} ${ofShop}
      where l.account_id = ${accountId} and l.environment = ${environment}
        and l.created_at >= ${from} and l.created_at < ${until} and l.tax <> 0
        and (l.returned_at is null or l.returned_at >= ${until})
      union all
      select l.tax_kind, l.tax_percent, 0, l.tax
      from sale_lines l ${indexedBy("sale_lines_returned")} ${ofShop}
      where l.account_id = ${accountId} and l.environment = ${environment} and ${sql.raw(RETURNED)}
        and l.returned_at >= ${from} and l.returned_at < ${until}
        and l.created_at < ${from} and l.tax <> 0
      union all
      select ${taxOf}, p.shop_tax, 0 from ${write(API_SALES)}
      where t.account_id = ${accountId} and t.environment = ${environment} and t.training = 0
        and t.created_at >= ${from} and t.created_at < ${until} and ${isTaxed}
      union all
      select ${taxOf}, case when t.created_at >= ${from} then -p.shop_tax else 0 end,
        case when t.created_at < ${from} then p.shop_tax else 0 end
      from ${write(API_SALES_BACK)}
      where x.account_id = ${accountId} and x.environment = ${environment}
        and ${sql.raw(API_RETURNED)} and ${isTaxed}
        and x.finished_at >= ${from} and x.finished_at < ${until})
    group by kind, percent
    having sum(sold) <> 0 or sum(refunded) <> 0
    order by kind desc, cast(percent as double precision)`.execute(db);
  return rows;
}

/** Length of the periods that are summed without a pause for other work. */
const AT_ONCE_MS = 7 * 86_400_000;

/**
 * Reconciles the cost of sales with the wallet's spending in the ledger (rules#figure-tie-out).
 * Sums the amount of each reason for a difference from the transactions, by finish time.
 */
async function readTieOut(
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
