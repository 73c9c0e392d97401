import type { TransactionStatus } from "../../../contract/common.ts";
import { Problem } from "../../../contract/problem.ts";
import type { TransactionError } from "../../../contract/v1/purchase-record.ts";
import type { ProductType, TransactionType } from "../../../contract/v1/transactions.ts";
import { checksumOfNew } from "../../../db/checksums.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Tx } from "../../../db/database.ts";
import { writeBehind } from "../../../db/write-behind.ts";
import type { Unit } from "../../../lib/money.ts";
import {
  appendLog,
  type LogEntry,
  type StoredTransaction,
  type TransactionRef,
  type TransactionRow,
} from "./transaction-store.ts";

/**
 * The states of a transaction (rules#purchase-states).
 *
 *   (none)      → ACCEPTED     the request is valid and its row is written
 *   ACCEPTED    → PENDING      the transaction must wait before money moves
 *   ACCEPTED,
 *   PENDING     → AUTHORIZED   the wallet covers the cost, which is now held
 *               → FAILED       the wallet is short, blocked or not configured; nothing was held
 *               → DONE         a recharge, which is complete when it is recorded
 *   ACCEPTED    → IN_PROGRESS  a refund, for which nothing is held: sent to the provider
 *   AUTHORIZED  → IN_PROGRESS  sent to the provider
 *   IN_PROGRESS → IN_PROGRESS  an attempt failed recoverably or got no response; another follows
 *               → DONE         the provider confirms; the held amount is captured
 *               → FAILED       the provider rejects, or time is up; the held amount is released
 *
 * DONE and FAILED are final. A database transaction writes one arrow, or several that follow each
 * other: the status, the log rows, the ledger rows and the change rows. It requires that the stored
 * status is the first arrow's start.
 */
const NEXT: Record<TransactionStatus, readonly TransactionStatus[]> = {
  ACCEPTED: ["PENDING", "AUTHORIZED", "IN_PROGRESS", "FAILED", "DONE"],
  PENDING: ["AUTHORIZED", "FAILED"],
  AUTHORIZED: ["IN_PROGRESS"],
  IN_PROGRESS: ["IN_PROGRESS", "DONE", "FAILED"],
  DONE: [],
  FAILED: [],
};

function mayBecome(from: TransactionStatus, to: TransactionStatus): boolean {
  return NEXT[from].includes(to);
}

export function isFinal(status: TransactionStatus): boolean {
  return NEXT[status].length === 0;
}

export interface NewTransaction extends TransactionRef {
  type: TransactionType;
  productType: ProductType;
  amount: number;
  unit: Unit;
  training?: boolean;
  at: number;
}

/** Thrown if a concurrent transition has changed the expected status. */
export class StaleTransition extends Error {}

/**
 * @param steps first transitions, which are written with the acceptance
 * @throws Problem DUPLICATE_TRANSACTION_ID if the id is used in this account and environment
 */
export async function createTransaction(
  tx: Tx,
  transaction: NewTransaction,
  steps: readonly Transition[] = [],
): Promise<void> {
  const { at: loggedAt } = transaction;
  const accepted = { loggedAt, status: "ACCEPTED", message: "Transaction accepted" } as const;
  requireSteps(steps);
  const { to: status = "ACCEPTED", at: updatedAt = loggedAt } = steps.at(-1) ?? {};
  const row = {
    ...key(transaction),
    type: transaction.type,
    product_type: transaction.productType,
    amount: transaction.amount,
    currency: transaction.unit.currency,
    currency_divisor: transaction.unit.currencyDivisor,
    status,
    created_at: loggedAt,
    updated_at: updatedAt,
    training: transaction.training ? 1 : 0,
  };
  const checksum = checksumOfNew(tx, "transactions", row);
  await writeBehind(tx, insertAccepted(tx, { ...row, checksum }), ({ numAffectedRows }) => {
    if (numAffectedRows === 1n) return;
    throw new Problem(
      "DUPLICATE_TRANSACTION_ID",
      `The transaction id ${transaction.transactionId} has been used already.`,
      { transactionId: "has been used already in this environment" },
    );
  });
  await appendLog(tx, transaction, [accepted, ...steps.map(toLogEntry)], true);
}

type AcceptedRow = ReturnType<typeof key> & { checksum: number | null } & Pick<
    TransactionRow,
    | "type"
    | "product_type"
    | "status"
    | "amount"
    | "currency"
    | "currency_divisor"
    | "created_at"
    | "updated_at"
    | "training"
  >;

const insertAccepted = compileOnce<AcceptedRow, unknown>((db, param) =>
  db
    .insertInto("transactions")
    .values({
      account_id: param("account_id"),
      environment: param("environment"),
      transaction_id: param("transaction_id"),
      type: param("type"),
      product_type: param("product_type"),
      status: param("status"),
      amount: param("amount"),
      currency: param("currency"),
      currency_divisor: param("currency_divisor"),
      created_at: param("created_at"),
      updated_at: param("updated_at"),
      needs_reconciliation: 0,
      training: param("training"),
      checksum: param("checksum"),
    })
    .onConflict((conflict) => conflict.doNothing()),
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
 * Changes a status, as the state machine allows (rules#purchase-states). No other function changes
 * a status.
 * @param steps written together; each starts from the status that the previous step set
 * @throws StaleTransition if the transaction no longer has the first step's `from`
 */
export async function transition(
  tx: Tx,
  ref: TransactionRef,
  ...steps: readonly [Transition, ...Transition[]]
): Promise<void> {
  requireSteps(steps);
  const [first, ...rest] = steps;
  const { from } = first;
  const last = rest.at(-1) ?? first;
  const change = {
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
  };
  await writeBehind(tx, updateStatus(tx, change), ({ numAffectedRows }) => {
    if (numAffectedRows === 1n) return;
    throw new StaleTransition(`${ref.transactionId} is not ${from} any more`);
  });
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

/** @throws RangeError for a change that the state machine does not allow */
function requireSteps(steps: readonly Transition[]): void {
  for (const [index, { from, to }] of steps.entries()) {
    if (!mayBecome(from, to) || (index > 0 && steps[index - 1]?.to !== from)) {
      throw new RangeError(`a transaction cannot go from ${from} to ${to}`);
    }
  }
}

function key(ref: TransactionRef) {
  return {
    account_id: ref.accountId,
    environment: ref.environment,
    transaction_id: ref.transactionId,
  };
}
