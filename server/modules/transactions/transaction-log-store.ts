import { sql } from "kysely";
import type { TransactionStatus } from "../../contract/common.ts";
import { recordChange, type Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import { decodeSubject, encodeSubject } from "../../jobs/job-subject.ts";

/** A transaction's full key. */
export interface TransactionRef extends Scope {
  transactionId: string;
}

/** The subject of a transaction's job. */
export function subjectOf(ref: TransactionRef): string {
  return encodeSubject(ref, ref.transactionId);
}

/** @throws RangeError for what is no subject of a transaction's job */
export function refOf(subject: string): TransactionRef {
  const { scope, id } = decodeSubject(subject);
  return { ...scope, transactionId: id };
}

/** One stage of a transaction's progress; added to, never edited. */
export interface LogEntry {
  loggedAt: number;
  status: TransactionStatus;
  message: string;
}

/** Adds an entry, and notes that the transaction changed. */
export async function appendLog(tx: Tx, ref: TransactionRef, entry: LogEntry): Promise<void> {
  await tx
    .insertInto("transaction_log")
    .values({
      account_id: ref.accountId,
      environment: ref.environment,
      transaction_id: ref.transactionId,
      position: sql<number>`(
        select count(*) from transaction_log where account_id = ${ref.accountId}
        and environment = ${ref.environment} and transaction_id = ${ref.transactionId})`,
      logged_at: entry.loggedAt,
      status: entry.status,
      message: entry.message,
    })
    .execute();
  await recordChange(tx, ref, {
    topic: "purchase",
    subject: ref.transactionId,
    at: entry.loggedAt,
  });
}

/** The logs of these transactions, by id, each in order. */
export async function logsOf(
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
    log.push({
      loggedAt: row.logged_at,
      status: row.status,
      message: row.message,
    });
    logs.set(row.transaction_id, log);
  }
  return logs;
}
