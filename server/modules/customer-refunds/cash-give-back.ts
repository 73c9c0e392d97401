import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import { findGiveBack, wentInCash } from "./give-back-store.ts";

/** Who handed money back in cash, all or a part of it, and when. */
export async function findCashGiveBack(
  db: Db,
  scope: Scope,
  giveBackId: string,
): Promise<{ staffId: string; at: number } | undefined> {
  const row = await findGiveBack(db, scope, giveBackId);
  return row && (await wentInCash(db, scope, giveBackId))
    ? { staffId: row.staff_id, at: row.created_at }
    : undefined;
}
