import { sql } from "kysely";
import type { TransactionStatus } from "../../contract/common.ts";
import {
  PRODUCT_TYPES,
  type ProductType,
  TRANSACTION_TYPES,
  type TransactionType,
} from "../../contract/v1/transactions.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { indexedBy } from "../../db/engine-words.ts";
import { inScope } from "../../db/scope-filters.ts";
import type { Tables } from "../../db/tables.ts";

/** Widths of the periods that are counted, as powers of two of milliseconds, the widest first. */
export const WIDTHS = [34, 28, 22] as const;
type Width = (typeof WIDTHS)[number];
const NARROWEST: Width = 22;

/** Which transactions are meant; whatever is left out is not looked at. */
export interface KindFilter {
  status?: TransactionStatus;
  type?: TransactionType;
  productTypes?: readonly ProductType[];
}

/**
 * The column of `transaction_counts` that each filter is counted by. A new filter needs a column there, in its
 * key and in both triggers that count; without one the totals of `GET /v1/transactions` are wrong.
 */
const COUNTED_BY = {
  status: "status",
  type: "type",
  productTypes: "product_type",
} as const satisfies Record<keyof KindFilter, keyof Tables["transaction_counts"]>;

/** One kind of transactions, and how many of it were made in a period and have finished. */
export interface PeriodCount {
  period: number;
  finished: number;
  product_type: ProductType;
  status: "DONE" | "FAILED";
  type: TransactionType;
}

const FINAL = ["DONE", "FAILED"] as const;

export function periodOf(instant: number, width: Width): number {
  return Math.floor(instant / 2 ** width);
}

/** The instants of a period: from the first, before the second. */
export function boundsOf(period: number): { from: number; until: number } {
  return { from: period * 2 ** NARROWEST, until: (period + 1) * 2 ** NARROWEST };
}

/** The counts of a scope that fit, each combination looked up in the key of the table. */
function countsOf(db: Db | Tx, scope: Scope, filter: KindFilter, width: Width) {
  return db
    .selectFrom("transaction_counts")
    .where(inScope(scope))
    .where("width", "=", width)
    .where(COUNTED_BY.productTypes, "in", filter.productTypes ?? PRODUCT_TYPES)
    .where(
      COUNTED_BY.status,
      "in",
      FINAL.filter((status) => (filter.status ?? status) === status),
    )
    .where(COUNTED_BY.type, "in", filter.type ? [filter.type] : TRANSACTION_TYPES);
}

/** The counts of the periods of a width that lie within one of the next wider, or of all there are. */
export function listCounts(
  db: Db | Tx,
  scope: Scope,
  filter: KindFilter,
  { width, within }: { width: Width; within: number | undefined },
): Promise<PeriodCount[]> {
  let query = countsOf(db, scope, filter, width);
  if (within !== undefined) {
    query = query.where("period", ">=", within * 64).where("period", "<", (within + 1) * 64);
  }
  return query.select(["period", "finished", "product_type", "status", "type"]).execute();
}

/** The newest narrow periods up to one in which there are transactions of one kind. */
export function listPeriodsDown(
  db: Db | Tx,
  scope: Scope,
  kind: Pick<PeriodCount, "product_type" | "status" | "type">,
  { period, limit }: { period: number; limit: number },
): Promise<Pick<PeriodCount, "period" | "finished">[]> {
  const { product_type, status, type } = kind;
  return countsOf(db, scope, { productTypes: [product_type], status, type }, NARROWEST)
    .select(["period", "finished"])
    .where("period", "<=", period)
    .orderBy("period", "desc")
    .limit(limit)
    .execute();
}

/** How many have finished, of all that were ever made. */
export async function countFinished(
  db: Db | Tx,
  scope: Scope,
  filter: KindFilter,
): Promise<number> {
  const { total } = await countsOf(db, scope, filter, WIDTHS[0])
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("finished"), eb.lit(0)).as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** How many have finished, of those made at an instant or later. */
export async function countFinishedSince(
  db: Db | Tx,
  scope: Scope,
  filter: KindFilter,
  instant: number,
): Promise<number> {
  let count = 0;
  let last = Number.MAX_SAFE_INTEGER;
  for (const width of WIDTHS) {
    const period = periodOf(instant, width);
    const { total } = await countsOf(db, scope, filter, width)
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("finished"), eb.lit(0)).as("total"))
      .where("period", ">", period)
      .where("period", "<=", last)
      .executeTakeFirstOrThrow();
    count += total;
    last = period * 64 + 63;
  }
  const { until } = boundsOf(periodOf(instant, NARROWEST));
  const { total } = await transactionsOf(db, scope, filter)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("finished_at", "is not", null)
    .where("created_at", ">=", instant)
    .where("created_at", "<", until)
    .executeTakeFirstOrThrow();
  return count + total;
}

/** When those that have not finished were made. They are of the last days, however much was sold. */
export async function listUnfinishedInstants(
  db: Db | Tx,
  scope: Scope,
  filter: KindFilter,
): Promise<number[]> {
  if (filter.status) return [];
  const { rows } = await sql<{ created_at: number }>`
    select created_at from transactions ${indexedBy("transactions_unfinished")}
    where account_id = ${scope.accountId} and environment = ${scope.environment}
      and finished_at is null and training = 0
      ${filter.type ? sql`and type = ${filter.type}` : sql``}
      ${filter.productTypes ? sql`and ${isOneOf(filter.productTypes)}` : sql``}`.execute(db);
  return rows.map((row) => row.created_at);
}

/** The transactions of a scope that fit, without training, as the beginning of a query. */
export function transactionsOf(db: Db | Tx, scope: Scope, filter: KindFilter) {
  let query = db
    .selectFrom("transactions")
    .where(inScope(scope))
    // Written out, so that the indexes that leave training out fit.
    .where(sql<boolean>`training = 0`);
  if (filter.status) query = query.where("status", "=", filter.status);
  if (filter.type) query = query.where("type", "=", filter.type);
  if (filter.productTypes) query = query.where(isOneOf(filter.productTypes));
  return query;
}

/** Written out, so that the index of recharges fits, which holds two types. */
function isOneOf(types: readonly ProductType[]) {
  return sql<boolean>`product_type in (${sql.join(types.map((type) => sql.lit(type)))})`;
}
