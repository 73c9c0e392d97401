import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { toProviderColumn } from "../../../providers/supply.ts";
import type { TransactionRef } from "../../books/transactions/index.ts";

/** @returns false if the purchase has a refund that did not fail */
export async function createRefund(
  tx: Tx,
  refund: TransactionRef & { refundedTransactionId: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("refunds")
    .values({
      account_id: refund.accountId,
      environment: refund.environment,
      transaction_id: refund.transactionId,
      refunded_transaction_id: refund.refundedTransactionId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Marks a refund as failed, which allows another refund of the purchase. */
export async function markRefundFailed(tx: Tx, ref: TransactionRef): Promise<void> {
  await tx
    .updateTable("refunds")
    .set({ failed: 1 })
    .where(inScope(ref))
    .where("transaction_id", "=", ref.transactionId)
    .execute();
}

/** Returns the purchases of unfinished refunds at a provider. */
export async function listUnderRefund(
  db: Db | Tx,
  scope: Scope & { providerId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom("transactions as t")
    .innerJoin("refunds as r", inSameScope("r", "t", "transaction_id"))
    .innerJoin("purchases as p", inSameScope("p", "r", "transaction_id", "refunded_transaction_id"))
    .select("r.refunded_transaction_id")
    .where(inScope(scope, "t"))
    .where("t.finished_at", "is", null)
    .where("p.provider_id", "is not distinct from", toProviderColumn(scope.providerId))
    .execute();
  return rows.map((row) => row.refunded_transaction_id);
}

/** Returns milliseconds of running time without a confirmation. */
export async function findUnknownFor(tx: Tx, ref: TransactionRef): Promise<number> {
  const row = await tx
    .selectFrom("refunds")
    .select("unknown_for_ms")
    .where(inScope(ref))
    .where("transaction_id", "=", ref.transactionId)
    .executeTakeFirstOrThrow();
  return row.unknown_for_ms;
}

export async function noteUnknownFor(
  tx: Tx,
  ref: TransactionRef,
  unknownFor_ms: number,
): Promise<void> {
  await tx
    .updateTable("refunds")
    .set({ unknown_for_ms: unknownFor_ms })
    .where(inScope(ref))
    .where("transaction_id", "=", ref.transactionId)
    .execute();
}

export async function findRefundedId(
  db: Db | Tx,
  ref: TransactionRef,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("refunds")
    .select("refunded_transaction_id")
    .where(inScope(ref))
    .where("transaction_id", "=", ref.transactionId)
    .executeTakeFirst();
  return row?.refunded_transaction_id;
}

/** Returns purchase ids by refund id. Omits transactions that are not refunds. */
export async function findRefundedIds(
  db: Db | Tx,
  scope: Scope,
  transactionIds: readonly string[],
): Promise<Map<string, string>> {
  if (transactionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("refunds")
    .select(["transaction_id", "refunded_transaction_id"])
    .where(inScope(scope))
    .where("transaction_id", "in", transactionIds)
    .execute();
  return new Map(rows.map((row) => [row.transaction_id, row.refunded_transaction_id]));
}

/** Returns the id of a purchase's refund; of a failed refund only if there is no other. */
export async function findRefundId(
  db: Db | Tx,
  scope: Scope,
  refundedTransactionId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("refunds as r")
    .innerJoin("transactions as t", inSameScope("t", "r", "transaction_id"))
    .select("r.transaction_id")
    .where(inScope(scope, "r"))
    .where("r.refunded_transaction_id", "=", refundedTransactionId)
    .orderBy("r.failed")
    .orderBy("t.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.transaction_id;
}
