import { type Selectable, sql } from "kysely";
import { Type } from "typebox";
import type { TransactionStatus } from "../../contract/common.ts";
import { Problem } from "../../contract/problem.ts";
import type { TransactionError } from "../../contract/v1/purchase-record.ts";
import type {
  ProductType,
  ProductTypeFilter,
  TransactionType,
} from "../../contract/v1/transactions.ts";
import type { Scope } from "../../db/changes.ts";
import { compileOnce } from "../../db/compiled-query.ts";
import { type Db, isDuplicate, type Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import { readColumn } from "../../db/stored-json.ts";
import type { Tables } from "../../db/tables.ts";
import type { Unit } from "../../lib/money.ts";
import { listTransactionRows, type Page, type TransactionFilter } from "./transaction-list.ts";
import { appendLog, type LogEntry, logsOf, type TransactionRef } from "./transaction-log-store.ts";
import { isFinal, mayBecome } from "./transaction-machine.ts";

export interface NewTransaction extends TransactionRef {
  type: TransactionType;
  productType: ProductType;
  amount: number;
  unit: Unit;
  /** Sold at the till in training: it moves no money. */
  training?: boolean;
  at: number;
}

/** A transaction as stored; instants in milliseconds, amount in minor units. */
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
  /** Figures of the error, for wording it anew: minor units of the wallet's currency. */
  errorFigures: Record<string, number>;
  needsReconciliation: boolean;
  /** Sold at the till in training: it moves no money, and stands in no list or report. */
  training: boolean;
  log: LogEntry[];
}

/** The guard of a transition found another status than the one it leaves: another transition was faster. */
export class StaleTransition extends Error {}

/**
 * Writes a new transaction as ACCEPTED with its first log entry.
 * @throws Problem DUPLICATE_TRANSACTION_ID when the id is used in this account and environment.
 */
export async function createTransaction(tx: Tx, transaction: NewTransaction): Promise<void> {
  try {
    await insertAccepted(tx, {
      ...key(transaction),
      type: transaction.type,
      product_type: transaction.productType,
      amount: transaction.amount,
      currency: transaction.unit.currency,
      currency_divisor: transaction.unit.currencyDivisor,
      created_at: transaction.at,
      training: transaction.training ? 1 : 0,
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new Problem(
      "DUPLICATE_TRANSACTION_ID",
      `The transaction id ${transaction.transactionId} has been used already.`,
      { transactionId: "has been used already in this environment" },
    );
  }
  const { at: loggedAt } = transaction;
  await appendLog(tx, transaction, [
    { loggedAt, status: "ACCEPTED", message: "Transaction accepted" },
  ]);
}

type AcceptedRow = ReturnType<typeof key> &
  Pick<
    TransactionRow,
    "type" | "product_type" | "amount" | "currency" | "currency_divisor" | "created_at" | "training"
  >;

const insertAccepted = compileOnce<AcceptedRow, unknown>((db, param) =>
  db.insertInto("transactions").values({
    account_id: param("account_id"),
    environment: param("environment"),
    transaction_id: param("transaction_id"),
    type: param("type"),
    product_type: param("product_type"),
    status: "ACCEPTED",
    amount: param("amount"),
    currency: param("currency"),
    currency_divisor: param("currency_divisor"),
    created_at: param("created_at"),
    updated_at: param("created_at"),
    needs_reconciliation: 0,
    training: param("training"),
  }),
);

export interface Transition {
  from: TransactionStatus;
  to: TransactionStatus;
  at: number;
  message: string;
  error?: TransactionError;
  errorFigures?: Record<string, number>;
  needsReconciliation?: boolean;
}

/**
 * The one gate through which a status changes (rules#purchase-states); the machine says which changes
 * there are.
 * @param steps made at once, each leaving what the one before it entered
 * @throws StaleTransition when the transaction has left the first step's `from` meanwhile.
 */
export async function transition(
  tx: Tx,
  ref: TransactionRef,
  ...steps: readonly [Transition, ...Transition[]]
): Promise<void> {
  requireSteps(steps);
  const [{ from }] = steps;
  const last = steps.at(-1) ?? steps[0];
  const { numAffectedRows } = await updateStatus(tx, {
    ...key(ref),
    from,
    status: last.to,
    updated_at: last.at,
    finished_at: isFinal(last.to) ? last.at : null,
    error_code: last.error?.code ?? null,
    error_description: last.error?.description ?? null,
    error_message: last.error?.message ?? null,
    error_figures_json: last.errorFigures ? JSON.stringify(last.errorFigures) : null,
    needs_reconciliation: last.needsReconciliation ? 1 : 0,
  });
  if (numAffectedRows !== 1n) {
    throw new StaleTransition(`${ref.transactionId} is not ${from} any more`);
  }
  await appendLog(tx, ref, steps.map(toLogEntry));
}

const STATUS_COLUMNS = [
  "status",
  "updated_at",
  "finished_at",
  "error_code",
  "error_description",
  "error_message",
  "error_figures_json",
  "needs_reconciliation",
] as const;

type StatusChange = ReturnType<typeof key> & { from: TransactionStatus } & Pick<
    TransactionRow,
    (typeof STATUS_COLUMNS)[number]
  >;

const updateStatus = compileOnce<StatusChange, unknown>((db, param) => {
  let update = db.updateTable("transactions");
  for (const column of STATUS_COLUMNS) update = update.set(column, param(column));
  return update
    .where("account_id", "=", param("account_id"))
    .where("environment", "=", param("environment"))
    .where("transaction_id", "=", param("transaction_id"))
    .where("status", "=", param("from"));
});

/** A transaction as it is after steps that change nothing but its status. */
export function afterSteps(
  seen: StoredTransaction,
  steps: readonly Transition[],
): StoredTransaction {
  const last = steps.at(-1);
  if (!last) return seen;
  const log = [...seen.log, ...steps.map(toLogEntry)];
  return { ...seen, status: last.to, updatedAt: last.at, log };
}

function toLogEntry({ at, to, message }: Transition): LogEntry {
  return { loggedAt: at, status: to, message };
}

/** @throws RangeError for a change that the machine does not know */
function requireSteps(steps: readonly Transition[]): void {
  for (const [index, { from, to }] of steps.entries()) {
    if (!mayBecome(from, to) || (index > 0 && steps[index - 1]?.to !== from)) {
      throw new RangeError(`a transaction cannot go from ${from} to ${to}`);
    }
  }
}

export async function findTransaction(
  db: Db | Tx,
  ref: TransactionRef,
): Promise<StoredTransaction | undefined> {
  return (await findTransactions(db, ref, [ref.transactionId]))[0];
}

/** The transactions with these ids, in no order; unknown ids are left out. */
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

/** A page of them with their logs, and how many there are (`listTransactionRows`). */
export async function listTransactions(
  db: Db | Tx,
  scope: Scope,
  filter: TransactionFilter,
  page: Page,
): Promise<{ total: number; list: StoredTransaction[] }> {
  const { total, rows } = await listTransactionRows(db, scope, filter, page);
  return { total, list: await withLogs(db, scope, rows) };
}

/** Transactions that an owner must ask the provider about, oldest first; `total` is exact. */
export async function listUnreconciled(
  db: Db | Tx,
  scope: Scope,
  page: Page,
): Promise<{ total: number; list: StoredTransaction[] }> {
  const query = db
    .selectFrom("transactions")
    .where(inScope(scope))
    // Written out, so that the index of the few that are flagged fits.
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
 * Takes the flag off; the transaction stays as it ended (rules#purchase-reconciliation).
 * @returns whether it was flagged: false for the second caller
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

/** The record values that a filter value of `/transactions` finds (rules#list-filters). */
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

export type TransactionRow = Selectable<Tables["transactions"]>;

const ErrorFigures = Type.Record(Type.String(), Type.Number());

/** @param log its entries, in their order */
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

function key(ref: TransactionRef) {
  return {
    account_id: ref.accountId,
    environment: ref.environment,
    transaction_id: ref.transactionId,
  };
}
