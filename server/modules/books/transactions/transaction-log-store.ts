import { type Selectable, sql } from "kysely";
import type { TransactionStatus } from "../../../contract/common.ts";
import type { Scope } from "../../../db/changes.ts";
import { compileOnce } from "../../../db/compiled-query.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Tables } from "../../../db/tables.ts";
import { decodeSubject, encodeSubject } from "../../../jobs/job-subject.ts";

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

/** Adds entries; a trigger notes each as a change of the transaction. */
export async function appendLog(
  tx: Tx,
  ref: TransactionRef,
  entries: readonly LogEntry[],
): Promise<void> {
  const { accountId, environment, transactionId } = ref;
  for (const entry of entries) {
    await insertEntry(tx, { accountId, environment, transactionId, ...entry });
  }
}

const insertEntry = compileOnce<TransactionRef & LogEntry, unknown>((db, param) =>
  db.insertInto("transaction_log").values({
    account_id: param("accountId"),
    environment: param("environment"),
    transaction_id: param("transactionId"),
    position: sql<number>`(
      select count(*) from transaction_log where account_id = ${param("accountId")}
      and environment = ${param("environment")} and transaction_id = ${param("transactionId")})`,
    logged_at: param("loggedAt"),
    status: param("status"),
    message: param("message"),
  }),
);

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
    log.push(toEntry(row));
    logs.set(row.transaction_id, log);
  }
  return logs;
}

/** The log of one transaction, in order. */
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
  return { loggedAt: logged_at, status, message };
}
