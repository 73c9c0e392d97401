import { type Selectable, sql } from "kysely";
import type { TransactionStatus } from "../../../contract/common.ts";
import type { CreatedAtCondition } from "../../../contract/created-at-filter.ts";
import type { ProductType, TransactionType } from "../../../contract/v1/transactions.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { withoutIndex } from "../../../db/engine-words.ts";
import type { ListTotals } from "../../../db/list-totals.ts";
import { countRows, inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";

/** Each filter is a column of the list indexes (`baseline/money.ts`, `013-updated-list.ts`). */
export interface TransactionFilter {
  status?: TransactionStatus;
  type?: TransactionType;
  productTypes?: readonly ProductType[];
  createdAt?: CreatedAtCondition;
  /** Lists the transactions by their last change (`listUpdatedRows`). */
  updatedAt?: CreatedAtCondition;
}

export interface Page {
  limit: number;
  offset: number;
}

type Row = Selectable<Tables["transactions"]>;

/**
 * Lists transactions except training sales, newest first, then by id; `total` is exact
 * (rules#list-newest-first). Filters and totals are read from an index alone; only the page's rows
 * are read from the table (rules#list-cost).
 * @param db a snapshot, so that all results agree
 */
export async function listTransactionRows(
  db: Db | Tx,
  scope: Scope,
  filter: TransactionFilter,
  page: Page,
  totals?: ListTotals,
): Promise<{ total: number; rows: Row[] }> {
  const query = transactionsOf(db, scope, filter);
  const count = () => countRows(query);
  const key = JSON.stringify([scope, filter]);
  const total = await (totals?.get(db, key, count) ?? count());
  // With the exact limit, the query does not search past the end of the list.
  const limit = Math.min(page.limit, total - page.offset);
  if (limit <= 0) return { total, rows: [] };
  const rows = await query
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("transaction_id")
    .limit(limit)
    .offset(page.offset)
    .execute();
  return { total, rows };
}

function transactionsOf(
  db: Db | Tx,
  scope: Scope,
  { status, type, productTypes, createdAt }: TransactionFilter,
) {
  let query = db
    .selectFrom("transactions")
    .where(inScope(scope))
    // A literal: with a parameter, the database could not use the partial indexes that have this
    // condition.
    .where(sql<boolean>`training = 0`);
  const { from, until } = rangeOf(createdAt);
  if (from !== undefined) query = query.where("created_at", ">=", from);
  if (until !== undefined) query = query.where("created_at", "<", until);
  // The database should use one index only. The status index also contains product type and
  // transaction type; the product type index also contains the transaction type.
  if (status) query = query.where("status", "=", status);
  if (productTypes) {
    const beside = status ? withoutIndex : sql``;
    // Literals: with parameters, the database could not use the partial index of the two recharge
    // types.
    const types = sql.join(productTypes.map((one) => sql.lit(one)));
    query = query.where(sql<boolean>`${beside}product_type in (${types})`);
  }
  if (type) {
    const beside = status || productTypes ? withoutIndex : sql``;
    query = query.where(sql<boolean>`${beside}type = ${type}`);
  }
  return query;
}

/** `from` is inclusive, `until` exclusive. */
interface CreatedRange {
  from: number | undefined;
  until: number | undefined;
}

/**
 * Returns the range in whole milliseconds. A filter may name an instant between two milliseconds,
 * which PostgreSQL cannot compare with an integer.
 */
export function rangeOf(createdAt: CreatedAtCondition | undefined): CreatedRange {
  if (!createdAt) return { from: undefined, until: undefined };
  const { comparison, instant } = createdAt;
  const after = Math.floor(instant) + 1;
  const atOrAfter = Math.ceil(instant);
  return {
    from: { ">": after, ">=": atOrAfter, "=": atOrAfter }[comparison as string],
    until: { "<=": after, "<": atOrAfter, "=": after }[comparison as string],
  };
}
