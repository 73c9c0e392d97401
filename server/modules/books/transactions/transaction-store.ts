import { type RawBuilder, type Selectable, sql } from "kysely";
import { Type } from "typebox";
import type { Environment, TransactionStatus } from "../../../contract/common.ts";
import type { CreatedAtCondition } from "../../../contract/created-at-filter.ts";
import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import type {
  ProductType,
  ProductTypeFilter,
  TransactionType,
} from "../../../contract/v1/transactions.ts";
import type { Scope } from "../../../db/changes.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { indexedBy } from "../../../db/engine-words.ts";
import type { ListTotals } from "../../../db/list-totals.ts";
import { readMessage, toStoredMessage } from "../../../db/log-messages.ts";
import { countRows, inSameScope, inScope } from "../../../db/scope-filters.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Tables } from "../../../db/tables.ts";
import { writeBehind } from "../../../db/write-behind.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";
import {
  listTransactionRows,
  type Page,
  rangeOf,
  type TransactionFilter,
} from "./transaction-list.ts";

type UpdatedFilter = TransactionFilter & { updatedAt: CreatedAtCondition };

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
async function listUpdatedRows(
  db: Db | Tx,
  scope: Scope,
  filter: UpdatedFilter,
  { limit, offset }: Page,
  totals?: ListTotals,
): Promise<{ total: number; rows: Selectable<Tables["transactions"]>[] }> {
  const open = await findOpen(db, scope, filter);
  const count = () => countFinished(db, scope, filter);
  const key = JSON.stringify(["updated", scope, filter]);
  const finished = await (totals?.get(db, key, count) ?? count());
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

export interface TransactionRef extends Scope {
  transactionId: string;
}

export function subjectOf(ref: TransactionRef): string {
  return encodeSubject(ref, ref.transactionId);
}

/** @throws RangeError for text that is not the subject of a transaction's job */
export function refOf(subject: string): TransactionRef {
  const { scope, id } = decodeSubject(subject);
  return { ...scope, transactionId: id };
}

export interface LogEntry {
  loggedAt: number;
  status: TransactionStatus;
  message: string;
}

/**
 * Adds log entries. A trigger records each entry as a change of the transaction.
 * @param isFirst whether the transaction is new, so that its log is empty
 */
export async function appendLog(
  tx: Tx,
  ref: TransactionRef,
  entries: readonly LogEntry[],
  isFirst = false,
): Promise<void> {
  if (entries.length === 0) return;
  const { accountId, environment, transactionId } = ref;
  const values: EntryValues = { accountId, environment, transactionId };
  for (const [index, { loggedAt, status, message }] of entries.entries()) {
    values[`at${index}`] = loggedAt;
    values[`status${index}`] = status;
    values[`message${index}`] = toStoredMessage(status, message);
  }
  await writeBehind(tx, insertOf(entries.length, isFirst)(tx, values));
}

type EntryValues = Record<string, string | number | null>;

/** Statements by number of entries and position of the first. */
const inserts = new Map<string, ReturnType<typeof compileInsert>>();

function insertOf(count: number, isFirst: boolean): ReturnType<typeof compileInsert> {
  const name = `${count} ${isFirst}`;
  const known = inserts.get(name) ?? compileInsert(count, isFirst);
  if (!inserts.has(name)) inserts.set(name, known);
  return known;
}

function compileInsert(count: number, isFirst: boolean) {
  return compileOnce<EntryValues, unknown>((db, param) => {
    const stored = sql<number>`(
      select coalesce(max(position) + 1, 0) from transaction_log where account_id = ${param("accountId")}
      and environment = ${param("environment")} and transaction_id = ${param("transactionId")})`;
    const rows = Array.from({ length: count }, (_, index) => ({
      account_id: param("accountId") as string,
      environment: param("environment") as Environment,
      transaction_id: param("transactionId") as string,
      // The select does not see the entries of the same statement.
      position: isFirst
        ? sql<number>`${sql.lit(index)}`
        : sql<number>`${sql.lit(index)} + ${stored}`,
      logged_at: param(`at${index}`) as number,
      status: param(`status${index}`) as TransactionStatus,
      message: param(`message${index}`) as string | null,
    }));
    return db.insertInto("transaction_log").values(rows);
  });
}

async function logsOf(
  db: Db | Tx,
  scope: Scope,
  transactionIds: string[],
): Promise<Map<string, LogEntry[]>> {
  if (transactionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("transaction_log")
    .selectAll()
    .where(inScope(scope))
    .where("transaction_id", "in", transactionIds)
    .orderBy("transaction_id")
    .orderBy("position")
    .execute();
  const logs = new Map<string, LogEntry[]>();
  for (const row of rows) {
    const log = logs.get(row.transaction_id) ?? [];
    log.push(toEntry(row));
    logs.set(row.transaction_id, log);
  }
  return logs;
}

export async function logOf(db: Db | Tx, ref: TransactionRef): Promise<LogEntry[]> {
  const { accountId, environment, transactionId } = ref;
  const { rows } = await selectLog(db, { accountId, environment, transactionId });
  return rows.map(toEntry);
}

type LogRow = Pick<Selectable<Tables["transaction_log"]>, "logged_at" | "status" | "message">;

const selectLog = compileOnce<TransactionRef, LogRow>((db, param) =>
  db
    .selectFrom("transaction_log")
    .select(["logged_at", "status", "message"])
    .where("account_id", "=", param("accountId"))
    .where("environment", "=", param("environment"))
    .where("transaction_id", "=", param("transactionId"))
    .orderBy("position"),
);

function toEntry({ logged_at, status, message }: LogRow): LogEntry {
  return { loggedAt: logged_at, status, message: readMessage(status, message) };
}

/** Instants are in milliseconds, the amount in minor units. */
export interface StoredTransaction extends TransactionRef {
  type: TransactionType;
  productType: ProductType;
  status: TransactionStatus;
  amount: number;
  currency: string;
  currencyDivisor: number;
  createdAt: number;
  updatedAt: number;
  finishedAt: number | undefined;
  error: TransactionError | undefined;
  /** Figures for rebuilding the error's text, in minor units of the wallet's currency. */
  errorFigures: Record<string, number>;
  needsReconciliation: boolean;
  /** Training sales move no money, and are in no list or report. */
  training: boolean;
  log: LogEntry[];
}

export async function findTransaction(
  db: Db | Tx,
  ref: TransactionRef,
): Promise<StoredTransaction | undefined> {
  return (await findTransactions(db, ref, [ref.transactionId]))[0];
}

/** Returns the transactions in no particular order; unknown ids are left out. */
export async function findTransactions(
  db: Db | Tx,
  scope: Scope,
  transactionIds: readonly string[],
): Promise<StoredTransaction[]> {
  if (transactionIds.length === 0) return [];
  const rows = await db
    .selectFrom("transactions")
    .selectAll()
    .where(inScope(scope))
    .where("transaction_id", "in", transactionIds)
    .execute();
  return withLogs(db, scope, rows);
}

export async function listTransactions(
  db: Db | Tx,
  scope: Scope,
  filter: TransactionFilter,
  page: Page,
  totals?: ListTotals,
): Promise<{ total: number; list: StoredTransaction[] }> {
  const { total, rows } = await listRows(db, scope, filter, page, totals);
  return { total, list: await withLogs(db, scope, rows) };
}

function listRows(
  db: Db | Tx,
  scope: Scope,
  filter: TransactionFilter,
  page: Page,
  totals: ListTotals | undefined,
): ReturnType<typeof listTransactionRows> {
  const { updatedAt } = filter;
  if (updatedAt) return listUpdatedRows(db, scope, { ...filter, updatedAt }, page, totals);
  return filter.productTypes?.includes("BULK_CHECKOUT")
    ? listBulkTransactions(db, scope, filter, page)
    : listTransactionRows(db, scope, filter, page, totals);
}

/**
 * Lists transactions whose outcome an owner must clarify with the provider, oldest first; `total`
 * is exact.
 */
export async function listUnreconciled(
  db: Db | Tx,
  scope: Scope,
  page: Page,
): Promise<{ total: number; list: StoredTransaction[] }> {
  const query = db
    .selectFrom("transactions")
    .where(inScope(scope))
    // A literal: with a parameter, the database could not use the partial index of the flagged
    // rows.
    .where(sql<boolean>`needs_reconciliation = 1`);
  const count = await query
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy("created_at")
    .orderBy("transaction_id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { total: count.total, list: await withLogs(db, scope, rows) };
}

/**
 * Removes the flag `needsReconciliation`. The status stays the same
 * (rules#purchase-reconciliation).
 * @returns whether the transaction was flagged; false for the second of two callers
 */
export async function markReconciled(tx: Tx, ref: TransactionRef): Promise<boolean> {
  const result = await tx
    .updateTable("transactions")
    .set({ needs_reconciliation: 0 })
    .where(inScope(ref))
    .where("transaction_id", "=", ref.transactionId)
    .where("needs_reconciliation", "=", 1)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export function productTypesOf(filter: ProductTypeFilter): readonly ProductType[] {
  return filter === "WALLET_RECHARGE"
    ? ["RECHARGE_SANDBOX", "RECHARGE_WITH_CREDIT_CARD"]
    : [filter];
}

async function withLogs(
  db: Db | Tx,
  scope: Scope,
  rows: TransactionRow[],
): Promise<StoredTransaction[]> {
  const logs = await logsOf(
    db,
    scope,
    rows.map((row) => row.transaction_id),
  );
  return rows.map((row) => toTransaction(row, logs.get(row.transaction_id) ?? []));
}

/** Listed, because PostgreSQL prepares no statement that selects every column. */
export const TRANSACTION_COLUMNS = [
  "account_id",
  "environment",
  "transaction_id",
  "type",
  "product_type",
  "status",
  "amount",
  "currency",
  "currency_divisor",
  "created_at",
  "updated_at",
  "finished_at",
  "error_code",
  "error_description",
  "error_message",
  "error_figures_json",
  "needs_reconciliation",
  "training",
] as const;

export type TransactionRow = Omit<Selectable<Tables["transactions"]>, "checksum">;

const ErrorFigures = Type.Record(Type.String(), Type.Number());

export function toTransaction(row: TransactionRow, log: LogEntry[]): StoredTransaction {
  return {
    accountId: row.account_id,
    environment: row.environment,
    transactionId: row.transaction_id,
    type: row.type,
    productType: row.product_type,
    status: row.status,
    amount: row.amount,
    currency: row.currency,
    currencyDivisor: row.currency_divisor,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at ?? undefined,
    error:
      row.error_code === null
        ? undefined
        : {
            code: row.error_code,
            description: row.error_description ?? "",
            message: row.error_message ?? "",
          },
    errorFigures: row.error_figures_json
      ? readColumn(ErrorFigures, row.error_figures_json, {
          table: "transactions",
          column: "error_figures_json",
          row: row.transaction_id,
        })
      : {},
    needsReconciliation: row.needs_reconciliation === 1,
    training: row.training === 1,
    log,
  };
}

/**
 * Lists the transactions of bulk sales, newest first, then by id (rules#list-filters). The query
 * starts from the bulk lines, which are few compared with all transactions.
 */
async function listBulkTransactions(
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
  const total = await countRows(query);
  const rows = await query
    .selectAll("t")
    .orderBy("l.sold_at", "desc")
    .orderBy("l.transaction_id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { total, rows };
}
