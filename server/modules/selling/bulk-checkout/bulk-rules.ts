import type { Actor } from "../../../contract/pos/actor.ts";
import type { BulkConfirmInput } from "../../../contract/pos/bulk-runs.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { type BulkRunRow, getRun } from "./bulk-run-store.ts";

export function toScope({ accountId, environment }: Scope): Scope {
  return { accountId, environment };
}

/** @throws Problem ENVIRONMENT_CHANGED naming `training` */
export function requireNoTraining({ training }: Actor): void {
  if (!training) return;
  throw new Problem("ENVIRONMENT_CHANGED", "You are training: nothing is sold from a file.", {
    training: "must be false",
  });
}

/**
 * In training, no run is visible.
 * @throws Problem NOT_FOUND
 */
export async function requireVisible(
  db: Db | Tx,
  actor: Actor,
  runId: string,
): Promise<BulkRunRow> {
  if (actor.training) throw new Problem("NOT_FOUND", "There is no such run.");
  return getRun(db, actor, runId);
}

/**
 * Requires that the confirming person accepts invalid lines and warnings. Invalid lines are not
 * sold.
 * @throws Problem BULK_LINES_AT_FAULT with `faulty`, `warned` or `ready`
 */
export function requireRight(
  { ready, faulty, warned }: { ready: number; faulty: number; warned: number },
  {
    onlyRight = false,
    acceptWarnings = false,
  }: Pick<BulkConfirmInput, "onlyRight" | "acceptWarnings">,
): void {
  if (ready === 0) throw atFault("No line of the table can be sold.", { ready: "0" });
  if (faulty > 0 && !onlyRight) {
    throw atFault(`${faulty} lines cannot be sold as they are.`, { faulty: String(faulty) });
  }
  if (warned > 0 && !acceptWarnings) {
    throw atFault(`${warned} lines look like mistakes.`, { warned: String(warned) });
  }
}

function atFault(message: string, fields: Record<string, string>): Problem {
  return new Problem("BULK_LINES_AT_FAULT", message, fields);
}

export function soldBefore(before: {
  run_id: string;
  name: string;
  confirmed_at: number;
}): Problem {
  return new Problem("BULK_SOLD_BEFORE", "The same lines have been sold before.", {
    runId: before.run_id,
    name: before.name,
    confirmedAt: toTimestamp(before.confirmed_at),
  });
}

/** @throws Problem PRICE_CHANGED with the present total in `price` */
export function requireTotal(shown: number, now: number): void {
  if (shown === now) return;
  throw new Problem("PRICE_CHANGED", "The lines come to another total by now.", {
    total: `is ${now} now`,
    price: String(now),
  });
}
