import { PRACTICES, type Practice } from "../../contract/pos/till-environment.ts";
import type { Db } from "../../db/database.ts";
import { inSameScope, inScope } from "../../db/scope-filters.ts";

/** How many of the newest lines are read for what was practised. */
const DEPTH = 500;

/** What a shop should have practised before it sells for money, and has not: in training or not. */
export async function findNotPractised(db: Db, accountId: string): Promise<Practice[]> {
  const lines = await db
    .selectFrom("sale_lines as l")
    .innerJoin("transactions as t", inSameScope("t", "l", "transaction_id"))
    .innerJoin("purchases as p", inSameScope("p", "l", "transaction_id"))
    .select(["t.status", "p.attempts", "p.attempt_state"])
    .where(inScope({ accountId, environment: "test" }, "l"))
    .orderBy("l.created_at", "desc")
    .limit(DEPTH)
    .execute();
  const practised: Record<Practice, boolean> = {
    DELIVERED: lines.some(({ status }) => status === "DONE"),
    FAILED: lines.some(({ status }) => status === "FAILED"),
    // The till has said "Still being sent" after the first attempt; the next one is a quarter of an hour away.
    WAITED: lines.some(
      ({ status, attempts, attempt_state }) =>
        attempts > 1 || (status === "IN_PROGRESS" && attempt_state === "FAILED"),
    ),
    CUSTOMER_REFUND: await hasAny(db, "customer_refunds", accountId),
    SHIFT_CLOSED: await hasAny(db, "z_reports", accountId),
  };
  return PRACTICES.filter((practice) => !practised[practice]);
}

async function hasAny(
  db: Db,
  table: "customer_refunds" | "z_reports",
  accountId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select("staff_id")
    .where(inScope({ accountId, environment: "test" }))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
