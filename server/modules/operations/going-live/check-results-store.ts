import {
  type CheckedForLive,
  CheckFigures,
  type GoingLiveCheck,
} from "../../../contract/pos/till-environment.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";
import { wordCheck } from "./check-words.ts";

/** A check that a live shop passed once and a night found failed: reason for an alert, never a switch-off. */
interface TurnedRed {
  check: GoingLiveCheck;
  /** When a night first found it so, milliseconds since 1970; the same until it passes again. */
  since: number;
  /** In English: what is missing, and what to do. */
  message: string;
  /** What `message` names, as in `CheckedForLive`. */
  figures: CheckedForLive["figures"];
}

/**
 * The checks that would stop the shop from going live now, though it passed them when it did: those of
 * last night, the longest failed first. None while it sells in test.
 */
export async function readTurnedRed(db: Db, accountId: string): Promise<TurnedRed[]> {
  const rows = await db
    .selectFrom("live_check_results")
    .select(["check_name", "figures_json", "turned_red_at"])
    .where("account_id", "=", accountId)
    .where("stops", "=", 1)
    .where("turned_red_at", "is not", null)
    .orderBy("turned_red_at")
    .orderBy("check_name")
    .execute();
  return rows.map(({ check_name: check, figures_json, turned_red_at }) => {
    const of = { table: "live_check_results", column: "figures_json", row: check } as const;
    const figures = readColumn(CheckFigures, figures_json, of);
    return { check, since: turned_red_at ?? 0, figures, message: wordCheck(check, false, figures) };
  });
}

/** Keeps what was found, and when something that had passed failed; what is not checked is forgotten. */
export async function saveCheckResults(
  tx: Tx,
  accountId: string,
  checks: readonly CheckedForLive[],
  at: number,
): Promise<void> {
  const before = await tx
    .selectFrom("live_check_results")
    .select(["check_name", "passed", "turned_red_at"])
    .where("account_id", "=", accountId)
    .execute();
  const known = new Map(before.map((row) => [row.check_name, row]));
  await forgetCheckResults(tx, accountId);
  // Shifts are open at any hour while a shop sells.
  const kept = checks.filter(({ check }) => check !== "SHIFTS_CLOSED");
  const rows = kept.map(({ check, passed, stops, figures }) => {
    const last = known.get(check);
    const turnedRedAt = last?.passed === 1 ? at : (last?.turned_red_at ?? null);
    return {
      account_id: accountId,
      check_name: check,
      passed: passed ? 1 : 0,
      stops: stops ? 1 : 0,
      figures_json: JSON.stringify(figures),
      turned_red_at: passed ? null : turnedRedAt,
      checked_at: at,
    };
  });
  await tx.insertInto("live_check_results").values(rows).execute();
}

export async function forgetCheckResults(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom("live_check_results").where("account_id", "=", accountId).execute();
}
