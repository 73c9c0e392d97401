import type { Environment } from "../contract/common.ts";
import type { Db, Tx } from "./database.ts";
import type { Tables } from "./tables.ts";

/** The account and environment of a row: part of every key. */
export interface Scope {
  accountId: string;
  environment: Environment;
}

export type ChangeTopic = Tables["changes"]["topic"];

export interface Change {
  changeId: number;
  topic: ChangeTopic;
  subject: string;
}

/**
 * Records that a subject changed, in the transaction that changes it, so that followers see every
 * committed change and no other.
 */
export async function recordChange(
  tx: Tx,
  scope: Scope,
  change: { topic: ChangeTopic; subject: string; at: number },
): Promise<void> {
  await tx
    .insertInto("changes")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      topic: change.topic,
      subject: change.subject,
      changed_at: change.at,
    })
    .execute();
}

/** Lists changes after `afterId`, oldest first, at most `limit`. */
export async function listChanges(
  db: Db | Tx,
  accountId: string,
  afterId: number,
  limit: number,
): Promise<(Change & Scope)[]> {
  const rows = await db
    .selectFrom("changes")
    .selectAll()
    .where("change_id", ">", afterId)
    .where("account_id", "=", accountId)
    .orderBy("change_id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    environment: row.environment,
    changeId: row.change_id,
    topic: row.topic,
    subject: row.subject,
  }));
}

/**
 * Returns the newest change of an account, 0 before the first. Changes of one account are committed in
 * order; those of several accounts are not.
 */
export async function latestChangeId(db: Db | Tx, accountId: string): Promise<number> {
  const row = await db
    .selectFrom("changes")
    .select("change_id")
    .where("account_id", "=", accountId)
    .orderBy("change_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.change_id ?? 0;
}

/** Maximum number deleted in one transaction, so that no other waits for long. */
const PRUNED_AT_ONCE = 2_000;

/**
 * Deletes some of the changes older than `before`, in the order of recording; followers that far behind reload
 * everything. Changes are recorded in the order of their time, except while the clock was ahead: those stay until
 * they are old.
 * @returns whether there may be more
 */
export async function pruneChanges(tx: Tx, before: number): Promise<boolean> {
  const first = tx
    .selectFrom("changes")
    .select("change_id")
    .orderBy("change_id")
    .limit(PRUNED_AT_ONCE);
  const { numDeletedRows } = await tx
    .deleteFrom("changes")
    .where("change_id", "in", first)
    .where("changed_at", "<", before)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
