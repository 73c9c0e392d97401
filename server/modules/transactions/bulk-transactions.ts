import type { Selectable } from "kysely";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inSameScope, inScope } from "../../db/scope-filters.ts";
import type { Tables } from "../../db/tables.ts";
import { rangeOf } from "./created-range.ts";
import type { Page, TransactionFilter } from "./transaction-list.ts";

/**
 * What was sold from files, whatever its family, newest first, then by id: the record of each says what
 * was bought (rules#bulk-transactions). The lines of runs lead there: they are few beside all that is sold.
 */
export async function listBulkTransactions(
  db: Db | Tx,
  scope: Scope,
  { createdAt, status, type }: TransactionFilter,
  page: Page,
): Promise<{ total: number; rows: Selectable<Tables["transactions"]>[] }> {
  let query = db
    .selectFrom("bulk_lines as l")
    .innerJoin("transactions as t", inSameScope("t", "l", "transaction_id"))
    .where(inScope(scope, "l"))
    .where("l.sold_at", "is not", null);
  const { from, until } = rangeOf(createdAt);
  if (from !== undefined) query = query.where("l.sold_at", ">=", from);
  if (until !== undefined) query = query.where("l.sold_at", "<", until);
  if (status) query = query.where("t.status", "=", status);
  if (type) query = query.where("t.type", "=", type);
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await query
    .selectAll("t")
    .orderBy("l.sold_at", "desc")
    .orderBy("l.transaction_id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { total, rows };
}
