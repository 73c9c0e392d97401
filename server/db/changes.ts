import { ENVIRONMENTS, type Environment } from "../contract/common.ts";
import type { Db, Tx } from "./database.ts";
import type { Tables } from "./tables.ts";

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
 * Records a change of a subject in the transaction of the change, so that followers see exactly the
 * committed changes.
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

/** Records a change that concerns both environments. */
export async function recordChangeInBoth(
  tx: Tx,
  accountId: string,
  change: Parameters<typeof recordChange>[2],
): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    await recordChange(tx, { accountId, environment }, change);
  }
}

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
 * Returns the id of the newest change of an account; 0 if there is none. Ids follow the commit
 * order within an account, but not across accounts.
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

/** Maximum number of changes deleted in one transaction: other transactions wait for its end. */
const PRUNED_AT_ONCE = 2_000;

/**
 * Deletes up to `PRUNED_AT_ONCE` changes older than `before`, in the order of recording. A follower
 * that needs a deleted change reloads everything. A change recorded while the clock was ahead stays
 * until it is old enough, and delays the deletion of later changes.
 * @returns whether to call it again
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
