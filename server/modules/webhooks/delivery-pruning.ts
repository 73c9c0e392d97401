import type { Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";

const PRUNED_AT_ONCE = 500;

/**
 * Forgets deliveries that were made before an instant and are over, with their attempts: of some at
 * a time, in the order they were made.
 * @param after where the last look ended; 0 at first
 * @returns where the next look begins; undefined when there is nothing older
 */
export async function pruneDeliveries(
  tx: Tx,
  { before, after }: { before: number; after: number },
): Promise<number | undefined> {
  const rows = await tx
    .selectFrom("webhook_deliveries")
    .select(["sequence", "account_id", "environment", "delivery_id", "state", "created_at"])
    .where("sequence", ">", after)
    .orderBy("sequence")
    .limit(PRUNED_AT_ONCE)
    .execute();
  for (const row of rows) {
    if (row.created_at >= before) return undefined;
    if (row.state === "PENDING") continue;
    for (const table of ["webhook_attempts", "webhook_deliveries"] as const) {
      await tx
        .deleteFrom(table)
        .where(inScope(row))
        .where("delivery_id", "=", row.delivery_id)
        .execute();
    }
  }
  return rows.at(-1)?.sequence;
}
