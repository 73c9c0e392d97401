import { ENVIRONMENTS } from "../../../contract/common.ts";
import { transactByAccount } from "../../../db/by-account.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Transactor } from "../../../db/transactor.ts";

const PRUNED_AT_ONCE = 500;

/**
 * Forgets deliveries that were made before an instant and are over, with their attempts: of some at
 * a time, in the order they were made.
 * @param after where the last look ended; 0 at first
 * @returns where the next look begins; undefined when there is nothing older
 */
export async function pruneDeliveries(
  { db, transactor }: { db: Db; transactor: Transactor },
  { before, after }: { before: number; after: number },
): Promise<number | undefined> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .select(["sequence", "account_id", "environment", "delivery_id", "state", "created_at"])
    .where("sequence", ">", after)
    .orderBy("sequence")
    .limit(PRUNED_AT_ONCE)
    .execute();
  const young = rows.findIndex((row) => row.created_at >= before);
  const old = young === -1 ? rows : rows.slice(0, young);
  const over = old.filter(({ state }) => state !== "PENDING");
  await transactByAccount(transactor, over, async (tx, own, accountId) => {
    for (const environment of ENVIRONMENTS) {
      const ids = own.flatMap((row) => (row.environment === environment ? row.delivery_id : []));
      if (ids.length > 0) await forgetDeliveries(tx, { accountId, environment }, ids);
    }
  });
  return young === -1 ? rows.at(-1)?.sequence : undefined;
}

/** Those of the deliveries that are over still: one that is sent again by hand is not. */
async function forgetDeliveries(tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> {
  const over = await tx
    .selectFrom("webhook_deliveries")
    .select("delivery_id")
    .where(inScope(scope))
    .where("delivery_id", "in", ids)
    .where("state", "<>", "PENDING")
    .execute();
  if (over.length === 0) return;
  for (const table of ["webhook_attempts", "webhook_deliveries"] as const) {
    await tx
      .deleteFrom(table)
      .where(inScope(scope))
      .where(
        "delivery_id",
        "in",
        over.map(({ delivery_id }) => delivery_id),
      )
      .execute();
  }
}
