import { type RawBuilder, type Selectable, sql } from "kysely";
import type { CreatedAtCondition } from "../../../contract/created-at-filter.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { indexedBy } from "../../../db/engine-words.ts";
import type { ListTotals } from "../../../db/list-totals.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { type Page, rangeOf, type TransactionFilter } from "./transaction-list.ts";

export type UpdatedFilter = TransactionFilter & { updatedAt: CreatedAtCondition };

/** A row's place in the list. */
interface Place {
  id: string;
  at: number;
}

/**
 * Lists transactions except training sales by their last change, newest first; `total` is exact
 * (rules#list-updated-at). A finished transaction changed last when it finished, so an index has its
 * place. The unfinished ones, which are few, are sorted in memory. Equal times: unfinished first.
 * @param db a snapshot, so that all results agree
 */
export async function listUpdatedRows(
  db: Db | Tx,
  scope: Scope,
  filter: UpdatedFilter,
  { limit, offset }: Page,
  totals?: ListTotals,
): Promise<{ total: number; rows: Selectable<Tables["transactions"]>[] }> {
  const open = await findOpen(db, scope, filter);
  const count = () => countFinished(db, scope, filter);
  const finished = totals
    ? await totals.get(db, JSON.stringify(["updated", scope, filter]), count)
    : await count();
  const total = open.length + finished;
  // At least so many finished ones precede the page, wherever the unfinished ones are.
  const skipped = Math.min(Math.max(offset - open.length, 0), finished);
  const from = offset - skipped;
  const wanted = Math.min(from + limit, finished - skipped);
  const ended = await findFinished(db, scope, filter, { offset: skipped, limit: wanted });
  const merged = [...open, ...ended].toSorted((a, b) => b.at - a.at);
  const ids = merged.slice(from, from + limit).map(({ id }) => id);
  return { total, rows: await readRows(db, scope, ids) };
}

async function readRows(db: Db | Tx, scope: Scope, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("transactions")
    .selectAll()
    .where(inScope(scope))
    .where("transaction_id", "in", ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.transaction_id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function findOpen(db: Db | Tx, scope: Scope, filter: UpdatedFilter): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select t.transaction_id as id, t.updated_at as at
    from transactions t ${indexedBy("transactions_unfinished")}
    where ${conditionsOf(scope, filter, sql`t.updated_at`)} and t.finished_at is null`.execute(db);
  return rows.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

async function countFinished(db: Db | Tx, scope: Scope, filter: UpdatedFilter): Promise<number> {
  const query = sql<{ total: number }>`select count(*) as total ${finishedOf(scope, filter)}`;
  return (await query.execute(db)).rows[0]?.total ?? 0;
}

async function findFinished(
  db: Db | Tx,
  scope: Scope,
  filter: UpdatedFilter,
  { offset, limit }: Page,
): Promise<Place[]> {
  if (limit <= 0) return [];
  const { rows } = await sql<Place>`
    select t.transaction_id as id, t.finished_at as at ${finishedOf(scope, filter)}
    order by t.finished_at desc, t.transaction_id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

function finishedOf(scope: Scope, filter: UpdatedFilter): RawBuilder<unknown> {
  return sql`from transactions t ${indexedBy("transactions_by_finish")}
    where ${conditionsOf(scope, filter, sql`t.finished_at`)} and t.finished_at is not null`;
}

function conditionsOf(
  { accountId, environment }: Scope,
  { status, type, productTypes, createdAt, updatedAt }: UpdatedFilter,
  updated: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [
    sql`t.account_id = ${accountId} and t.environment = ${environment} and t.training = 0`,
    ...within(updated, updatedAt),
    ...(createdAt ? within(sql`t.created_at`, createdAt) : []),
  ];
  if (status) conditions.push(sql`t.status = ${status}`);
  if (type) conditions.push(sql`t.type = ${type}`);
  if (productTypes?.includes("BULK_CHECKOUT")) {
    conditions.push(sql`exists (select 1 from bulk_lines l
      where l.account_id = t.account_id and l.environment = t.environment
        and l.transaction_id = t.transaction_id and l.sold_at is not null)`);
  } else if (productTypes) conditions.push(sql`t.product_type in (${sql.join(productTypes)})`);
  return sql.join(conditions, sql` and `);
}

function within(column: RawBuilder<unknown>, condition: CreatedAtCondition): RawBuilder<unknown>[] {
  const { from, until } = rangeOf(condition);
  return [
    ...(from !== undefined ? [sql`${column} >= ${from}`] : []),
    ...(until !== undefined ? [sql`${column} < ${until}`] : []),
  ];
}
